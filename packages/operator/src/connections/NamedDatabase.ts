/**
 * One named database for bulk runs: where the URL of its database comes from, and the keys for staged inputs.
 */
import * as Result from "effect/Result"
import {
  command,
  type ConfigIssue,
  invalid,
  type KeySource,
  readTable,
  sourceOf,
  text,
  variable
} from "./ConfigTable.ts"

/** A named database. */
export interface NamedDatabase {
  readonly name: string
  /** The URL contains a password, so it is never in the file. */
  readonly databaseUrl: KeySource
  /** Where workers find the key that decrypts staged inputs. */
  readonly inputKey?: KeySource
  /** Encrypts staged inputs for the workers; no secret. */
  readonly inputPublicKey?: string
}

const settings = {
  databaseUrlEnv: variable,
  databaseUrlCommand: command,
  inputKeyEnv: variable,
  inputKeyCommand: command,
  inputPublicKey: text((value) =>
    /^public-[\w-]{43}$/u.test(value) ? undefined : "must be the publicKey that signalbox bulk input-key prints"
  )
}

const unknownKey = (key: string): string | undefined =>
  key === "databaseUrl" || key === "inputKey"
    ? `do not put a secret in this file; name an environment variable with ${key}Env, or a command with ${key}Command`
    : undefined

/** Reads the table of one database. */
export const readNamedDatabase = (name: string, value: unknown): Result.Result<NamedDatabase, ConfigIssue> =>
  Result.gen(function* () {
    const { databaseUrlCommand, databaseUrlEnv, inputKeyCommand, inputKeyEnv, ...others } = yield* readTable(
      value,
      settings,
      unknownKey
    )
    const databaseUrl = yield* sourceOf("databaseUrl", databaseUrlEnv, databaseUrlCommand)
    if (databaseUrl === undefined) {
      return yield* invalid(
        'has no database; name an environment variable with databaseUrlEnv = "BULK_DATABASE_URL" or a command with databaseUrlCommand'
      )
    }
    const inputKey = yield* sourceOf("inputKey", inputKeyEnv, inputKeyCommand)
    return { name, databaseUrl, ...(inputKey === undefined ? {} : { inputKey }), ...others }
  })
