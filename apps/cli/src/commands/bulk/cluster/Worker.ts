import { counted } from "@signalbox/operator/text/Counted"
import * as Clock from "effect/Clock"
import * as OwnKeys from "@signalbox/operator/connections/OwnKeys"
import { outlet } from "@signalbox/operator/outlet/Outlet"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { chooseCluster } from "../../../connection/Cluster.ts"
import { chooseConnection, requireWritable } from "../../../connection/Connection.ts"
import type { ConnectionOptions } from "../../../connection/ConnectionFlags.ts"
import { Process } from "../../../process/Process.ts"
import { UsageError } from "../../../failure/CommandError.ts"
import type { WorkerHooks } from "./ClusterProgram.ts"
import { loadCluster, onCluster } from "./OnCluster.ts"

/** The input of `bulk worker`. */
export interface WorkerInput extends ConnectionOptions {
  readonly cluster: string
  readonly quiet: boolean
}

const everyMs = 10_000

/** Does chunks of the runs of a cluster until a signal; the first one lets the lines in flight finish. */
export const worker = Effect.fnUntraced(function* (input: WorkerInput) {
  const process = yield* Process
  const connection = yield* chooseConnection(input)
  yield* requireWritable(connection)
  const { baseUrl } = connection
  if (baseUrl === undefined) {
    return yield* new UsageError({ message: "a worker needs a live connection; the demo has none that machines share" })
  }
  const cluster = yield* chooseCluster(input.cluster)
  // Before a command of the user asks for a password.
  yield* loadCluster
  const { apiKey, vendor } = yield* connection.settings
  // The program of the cluster is another bundle, which protects the key in its responses.
  OwnKeys.protectKey(apiKey)
  const inputKey = yield* cluster.inputKey
  const usesProxy = process.environment["NODE_USE_ENV_PROXY"] === "1"
  const context = yield* Effect.context<never>()
  const note = (line: string) => {
    if (!input.quiet) Effect.runForkWith(context)(process.report(`${line}\n`))
  }
  let drain = () => {}
  const drained = new Promise<void>((resolve) => {
    drain = resolve
  })
  let signals = 0
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  let shownAt = now()
  let shown = ""
  const hooks: WorkerHooks = {
    onStart: () => note(`A worker of cluster "${cluster.name}" sends to ${baseUrl}. Stop it with ctrl-c.`),
    onProgress: ({ chunks, counts, problem }) => {
      const { failed, invalid, succeeded, unknown } = counts
      const lines = `${succeeded} succeeded, ${failed} failed, ${unknown} unknown, ${invalid} invalid`
      const line = `${counted(chunks, "chunk")} done: ${lines}${problem === undefined ? "" : `; ${problem}`}`
      if (line === shown || now() - shownAt < everyMs) return
      shown = line
      shownAt = now()
      note(line)
    },
    untilDrained: () => drained
  }
  yield* Effect.scoped(
    Effect.gen(function* () {
      yield* process.listenToSignals(() => {
        if (++signals > 1) globalThis.process.exit(130)
        note("Finishing the lines in flight; a second signal does not wait for them.")
        drain()
      })
      yield* onCluster(input.cluster, (program, place) =>
        program.runWorker({ ...place, baseUrl, apiKey: Redacted.value(apiKey), vendor, inputKey, usesProxy }, hooks)
      )
    })
  )
  note("Stopped; other workers do the rest.")
})

/** Prints a new key pair for staged inputs. */
export const inputKey = Effect.gen(function* () {
  const { newInputKeys } = yield* loadCluster
  const process = yield* Process
  yield* process.write(outlet("keys").json(newInputKeys()))
})
