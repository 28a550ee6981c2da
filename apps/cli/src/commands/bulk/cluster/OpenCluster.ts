/**
 * Shared by the commands for cluster runs: the database, and errors.
 */
import { ClusterRuns, type clientLayer, type readLayer } from "@signalbox/bulk/cluster"
import { safe } from "@signalbox/operator/text/Safe"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { chooseCluster, type Cluster } from "../../../connection/Cluster.ts"
import { Unsuccessful, UsageError } from "../../../failure/CommandError.ts"
import { exitCodes } from "../../../failure/ExitCode.ts"
import type { Process } from "../../../process/Process.ts"
import { exitCodeOf } from "../RunFailure.ts"

const sqlProblems: Readonly<Record<string, string>> = {
  ConnectionError: "it does not respond",
  AuthenticationError: "it does not accept the user name or the password",
  AuthorizationError: "the user may not do this",
  StatementTimeoutError: "it takes too long",
  LockTimeoutError: "it takes too long",
  ConnectionAcquireTimeoutError: "it does not respond"
}

/** The errors of cluster runs, all of them with one line. */
type Failure = SqlError | { readonly _tag: string; readonly message: string; readonly reason?: unknown }

const isSqlError = (error: Failure): error is SqlError => error._tag === "SqlError"

/** The errors of a cluster as errors of the command. */
export const failureIn =
  (cluster: string) =>
  (error: Failure): UsageError | Unsuccessful => {
    const line = (message: string) => `cluster "${cluster}": ${safe(message)}`
    if (isSqlError(error)) {
      const { _tag } = error.reason
      const message = line(`cannot use the database: ${sqlProblems[_tag] ?? _tag}`)
      return new Unsuccessful({ exitCode: exitCodes.unavailable, message })
    }
    const message = line(error.message)
    const exitCode = exitCodeOf(typeof error.reason === "string" ? error.reason : undefined)
    return exitCode === undefined ? new UsageError({ message }) : new Unsuccessful({ exitCode, message })
  }

/** A cluster that is connected. */
export interface OpenCluster {
  readonly cluster: Cluster
  readonly context: Context.Context<ClusterRuns | SqlClient>
  readonly failed: ReturnType<typeof failureIn>
  readonly runs: ClusterRuns["Service"]
}

/** Connects to a cluster until the scope closes. */
export const openCluster = Effect.fnUntraced(function* (
  name: string,
  layerOf: typeof clientLayer | typeof readLayer
): Effect.fn.Return<OpenCluster, UsageError | Unsuccessful, Process | Scope.Scope> {
  const cluster = yield* chooseCluster(name)
  const failed = failureIn(cluster.name)
  const url = Redacted.make(yield* cluster.databaseUrl)
  const context = yield* Effect.mapError(Layer.build(layerOf(url)), failed)
  return { cluster, context, failed, runs: Context.get(context, ClusterRuns) }
})
