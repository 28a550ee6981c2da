/**
 * The database that a command works with: named in the configuration file, or set in the environment.
 */
import type { KeySource } from "@signalbox/operator/connections/NamedConnection"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { asUsage, usage, type UsageError } from "../failure/CommandError.ts"
import { type Environment, Process } from "../process/Process.ts"
import { readConnections } from "./Connection.ts"

/** The database of the environment. */
export const defaultDatabase = "default"

/** A database that was chosen; no secret was read yet. */
export interface Database {
  readonly name: string
  readonly url: Effect.Effect<string, UsageError>
  /** The key that decrypts staged inputs; only workers have it. */
  readonly inputKey: Effect.Effect<string | undefined, UsageError>
  /** The key that encrypts staged inputs. */
  readonly publicKey: string | undefined
}

const optional = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

const fromEnvironment = (environment: Environment): Database | undefined => {
  const databaseUrl = optional(environment["SIGNALBOX_DATABASE_URL"])
  if (databaseUrl === undefined) return undefined
  return {
    name: defaultDatabase,
    url: Effect.succeed(databaseUrl),
    inputKey: Effect.succeed(optional(environment["SIGNALBOX_INPUT_KEY"])),
    publicKey: optional(environment["SIGNALBOX_INPUT_PUBLIC_KEY"])
  }
}

/** Chooses the database; connects to nothing and reads no secret. */
export const chooseDatabase = Effect.fnUntraced(function* (name: string) {
  const { environment } = yield* Process
  const own = name === defaultDatabase ? fromEnvironment(environment) : undefined
  if (own !== undefined) return own
  const file = yield* readConnections(environment)
  const { findDatabase, resolveSecret } = yield* Effect.promise(() => import("@signalbox/operator/node"))
  if (name === defaultDatabase && !file.databases.some((each) => each.name === name)) {
    const names = file.databases.map((each) => each.name)
    const others = names.length === 0 ? "" : `, or pass --database with one of: ${names.join(", ")}`
    return yield* usage(`no database: set SIGNALBOX_DATABASE_URL${others}`)
  }
  const found = yield* Effect.mapError(Effect.fromResult(findDatabase(file, name)), asUsage)
  const secret = (source: KeySource, setting: string) =>
    Effect.gen(function* () {
      const { layer } = yield* Effect.promise(() => import("@effect/platform-node/NodeServices"))
      const place = { source, setting: `databases.${name}.${setting}`, path: file.path, environment }
      return Redacted.value(yield* Effect.provide(resolveSecret(place), layer))
    }).pipe(Effect.mapError(asUsage))
  const { databaseUrl, inputKey, inputPublicKey } = found
  const database: Database = {
    name,
    url: secret(databaseUrl, "databaseUrl"),
    inputKey: inputKey === undefined ? Effect.undefined : secret(inputKey, "inputKey"),
    publicKey: inputPublicKey
  }
  return database
})
