/**
 * One named database for bulk runs: where the URL of its database comes from, and the keys for staged inputs.
 */
import * as Result from "effect/Result"
import { expectedOneOf } from "@signalbox/core/Nearest"
import { safe } from "../text/Safe.ts"
import type { ConfigIssue, KeySource } from "./NamedConnection.ts"

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

type Table = Readonly<Record<string, unknown>>

const settings = ["databaseUrlEnv", "databaseUrlCommand", "inputKeyEnv", "inputKeyCommand", "inputPublicKey"] as const

const invalid = (key: string, problem: string): Result.Result<never, ConfigIssue> => Result.fail({ key, problem })

const checkKeys = (table: Table): Result.Result<void, ConfigIssue> => {
  for (const key of Object.keys(table)) {
    if (settings.some((known) => known === key)) continue
    if (key === "databaseUrl" || key === "inputKey") {
      return invalid(
        key,
        `do not put a secret in this file; name an environment variable with ${key}Env, or a command with ${key}Command`
      )
    }
    return invalid(safe(key), `unknown key; ${expectedOneOf(key, settings)}`)
  }
  return Result.succeed(undefined)
}

const isArguments = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.length > 0 && value.every((part) => typeof part === "string" && part !== "")

/** Reads `<name>Env` or `<name>Command`; messages never quote a value, which could be the secret itself. */
const readSource = (
  table: Table,
  name: "databaseUrl" | "inputKey"
): Result.Result<KeySource | undefined, ConfigIssue> => {
  const variable = table[`${name}Env`]
  const command = table[`${name}Command`]
  if (variable !== undefined && command !== undefined) {
    return invalid("", `has both ${name}Env and ${name}Command; keep one of them`)
  }
  if (variable !== undefined) {
    return typeof variable === "string" && /^[A-Za-z_]\w*$/u.test(variable)
      ? Result.succeed({ _tag: "Environment", variable })
      : invalid(`${name}Env`, "must be the name of an environment variable (letters, digits, _), not the value itself")
  }
  if (command === undefined) return Result.succeed(undefined)
  return isArguments(command) || (typeof command === "string" && command.trim() !== "")
    ? Result.succeed({ _tag: "Command", command })
    : invalid(
        `${name}Command`,
        'must be a program with its arguments, like ["pass", "acme"], or a command line for the shell'
      )
}

const readPublicKey = (table: Table): Result.Result<string | undefined, ConfigIssue> => {
  const value = table["inputPublicKey"]
  if (value === undefined) return Result.succeed(undefined)
  return typeof value === "string" && /^[\w-]{43}$/u.test(value)
    ? Result.succeed(value)
    : invalid("inputPublicKey", "must be the publicKey that signalbox bulk input-key prints")
}

/** Reads the table of one database. */
export const readNamedDatabase = (name: string, value: unknown): Result.Result<NamedDatabase, ConfigIssue> => {
  if (!/^[\w][\w.-]{0,39}$/u.test(name)) {
    return invalid("", "the name of a database consists of letters, digits, _ - and . (40 at most)")
  }
  if (typeof value !== "object" || value === null || Array.isArray(value) || value instanceof Date) {
    return invalid("", `must be a table with the keys ${settings.join(", ")}`)
  }
  const table: Table = Object.fromEntries(Object.entries(value))
  return Result.gen(function* () {
    yield* checkKeys(table)
    const databaseUrl = yield* readSource(table, "databaseUrl")
    if (databaseUrl === undefined) {
      return yield* invalid(
        "",
        'has no database; name an environment variable with databaseUrlEnv = "BULK_DATABASE_URL" or a command with databaseUrlCommand'
      )
    }
    const inputKey = yield* readSource(table, "inputKey")
    const inputPublicKey = yield* readPublicKey(table)
    return {
      name,
      databaseUrl,
      ...(inputKey === undefined ? {} : { inputKey }),
      ...(inputPublicKey === undefined ? {} : { inputPublicKey })
    }
  })
}
