import type { Scan } from "@signalbox/bulk"
import { clientLayer, newRunId, submit, type SubmitOptions } from "@signalbox/bulk/cluster"
import { counted } from "@signalbox/operator/text/Counted"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { confirmAction } from "../../../connection/Connection.ts"
import { openOutput } from "../../../output/Output.ts"
import type { OutputOptions } from "../../../output/OutputFlags.ts"
import { clusterListing } from "../RunListing.ts"
import { openCluster } from "./OpenCluster.ts"

/** A checked input that is submitted to a cluster. */
export interface SubmitInput extends OutputOptions {
  readonly cluster: string
  readonly yes: boolean
  readonly options: Omit<SubmitOptions, "run" | "publicKey">
}

const isUrl = (file: string): boolean => /^https?:\/\//iu.test(file)

/** Submits a run, and prints its record. */
export const submitToCluster = Effect.fnUntraced(function* (input: SubmitInput, found: Scan) {
  const { cluster, options, yes } = input
  const output = yield* openOutput(clusterListing, input)
  yield* confirmAction(`${options.kind} ${counted(found.lines, "line")} on the cluster "${cluster}"`, yes)
  const flag = cluster === "default" ? "--cluster" : `--cluster=${cluster}`
  const run = yield* newRunId(options.kind, DateTime.formatIso(yield* DateTime.now))
  const failedIn = options.failedIn && resolve(options.failedIn)
  const file = isUrl(options.file) ? options.file : resolve(options.file)
  const {
    cluster: { publicKey },
    context,
    failed
  } = yield* openCluster(cluster, clientLayer)
  const status = yield* submit({ ...options, run, file, failedIn, publicKey }).pipe(
    Effect.provide(context),
    Effect.mapError(failed),
    Effect.onInterrupt(() => output.note(`Interrupted. Submit the rest with: signalbox bulk resume ${run} ${flag}`))
  )
  yield* output.rows([status])
  yield* output.note(`Submitted; workers do the rest. Follow it with: signalbox bulk status ${run} ${flag} --wait`)
}, Effect.scoped)
