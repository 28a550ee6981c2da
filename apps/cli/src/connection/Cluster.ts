/**
 * The cluster that a command works on: named in the configuration file, or set in the environment.
 */
import type { KeySource } from "@signalbox/operator/connections/NamedConnection"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { UsageError } from "../failure/CommandError.ts"
import { type Environment, Process } from "../process/Process.ts"
import { defaultCluster } from "./ClusterName.ts"
import { readConnections } from "./Connection.ts"

/** A cluster that was chosen; no secret was read yet. */
export interface Cluster {
  readonly name: string
  readonly databaseUrl: Effect.Effect<string, UsageError>
  /** The key that decrypts staged inputs; only workers have it. */
  readonly inputKey: Effect.Effect<string | undefined, UsageError>
  /** The key that encrypts staged inputs. */
  readonly publicKey: string | undefined
}

const optional = (text: string | undefined): string | undefined => (text === "" ? undefined : text)

const fromEnvironment = (environment: Environment): Cluster | undefined => {
  const databaseUrl = optional(environment["SIGNALBOX_DATABASE_URL"])
  if (databaseUrl === undefined) return undefined
  return {
    name: defaultCluster,
    databaseUrl: Effect.succeed(databaseUrl),
    inputKey: Effect.succeed(optional(environment["SIGNALBOX_INPUT_KEY"])),
    publicKey: optional(environment["SIGNALBOX_INPUT_PUBLIC_KEY"])
  }
}

/** Chooses the cluster; connects to nothing and reads no secret. */
export const chooseCluster = Effect.fnUntraced(function* (name: string) {
  const { environment } = yield* Process
  const own = name === defaultCluster ? fromEnvironment(environment) : undefined
  if (own !== undefined) return own
  const file = yield* readConnections(environment)
  const { findCluster, resolveSecret } = yield* Effect.promise(() => import("@signalbox/operator/node"))
  if (name === defaultCluster && !file.clusters.some((cluster) => cluster.name === name)) {
    const names = file.clusters.map((cluster) => cluster.name)
    const others = names.length === 0 ? "" : `, or pass --cluster=NAME with one of: ${names.join(", ")}`
    return yield* new UsageError({ message: `no cluster: set SIGNALBOX_DATABASE_URL${others}` })
  }
  const usage = ({ message }: { readonly message: string }) => new UsageError({ message })
  const found = yield* Effect.mapError(Effect.fromResult(findCluster(file, name)), usage)
  const secret = (source: KeySource, setting: string) =>
    Effect.gen(function* () {
      const { layer } = yield* Effect.promise(() => import("@effect/platform-node/NodeServices"))
      const place = { source, setting: `clusters.${name}.${setting}`, path: file.path, environment }
      return Redacted.value(yield* Effect.provide(resolveSecret(place), layer))
    }).pipe(Effect.mapError(usage))
  const { databaseUrl, inputKey, inputPublicKey } = found
  const cluster: Cluster = {
    name,
    databaseUrl: secret(databaseUrl, "databaseUrl"),
    inputKey: inputKey === undefined ? Effect.undefined : secret(inputKey, "inputKey"),
    publicKey: inputPublicKey
  }
  return cluster
})
