/**
 * Shared by the commands for cluster runs: the packages that are loaded for them, and errors.
 */
import { safe } from "@signalbox/operator/text/Safe"
import * as Effect from "effect/Effect"
import { type Cluster, chooseCluster } from "../../../connection/Cluster.ts"
import { Unsuccessful, UsageError } from "../../../failure/CommandError.ts"
import { exitCodes } from "../../../failure/ExitCode.ts"
import { exitCodeOf } from "../RunFailure.ts"
import type * as Program from "./ClusterProgram.ts"
import type { ClusterPlace, Outcome } from "./ClusterProgram.ts"

type ClusterProgram = typeof Program

/** The package that a failed import could not find. */
const missingPackage = (cause: unknown): string | undefined => {
  const isMissing = cause instanceof Error && "code" in cause && cause.code === "ERR_MODULE_NOT_FOUND"
  return isMissing ? /package '([^']+)'/u.exec(cause.message)?.[1] : undefined
}

const install = "npm install @effect/sql-pg @effect/platform-node effect@4.1"

/** Loads what a cluster needs, which an ordinary installation does not have. */
export const loadCluster: Effect.Effect<ClusterProgram, UsageError> = Effect.tryPromise({
  try: () => import("./ClusterProgram.ts"),
  catch: (cause) => {
    const name = missingPackage(cause)
    if (name === undefined) throw cause
    return new UsageError({
      message: `--cluster needs the package ${name}, which is not installed. Next to the command line, run: ${install}`
    })
  }
})

/** The value of an outcome; its failure is the error of the command. */
const valueOf =
  (cluster: Cluster) =>
  <A>(outcome: Outcome<A>): Effect.Effect<A, UsageError | Unsuccessful> => {
    if ("value" in outcome) return Effect.succeed(outcome.value)
    const message = `cluster "${cluster.name}": ${safe(outcome.failure.message)}`
    const exitCode = exitCodeOf(outcome.failure.reason)
    if (exitCode !== undefined) return Effect.fail(new Unsuccessful({ exitCode, message }))
    return Effect.fail(
      outcome.failure.isUsage
        ? new UsageError({ message })
        : new Unsuccessful({ exitCode: exitCodes.unavailable, message })
    )
  }

/** Does something on a cluster. */
export const onCluster = Effect.fnUntraced(function* <A>(
  name: string,
  act: (program: ClusterProgram, place: ClusterPlace, cluster: Cluster, signal: AbortSignal) => Promise<Outcome<A>>
) {
  const cluster = yield* chooseCluster(name)
  const program = yield* loadCluster
  const place: ClusterPlace = { databaseUrl: yield* cluster.databaseUrl }
  return yield* Effect.flatMap(
    Effect.promise((signal) => act(program, place, cluster, signal)),
    valueOf(cluster)
  )
})
