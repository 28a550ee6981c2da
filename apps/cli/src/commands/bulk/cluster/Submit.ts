import type { Scan } from "@signalbox/bulk"
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import { confirmAction } from "../../../connection/Connection.ts"
import { openOutput } from "../../../output/Output.ts"
import type { OutputOptions } from "../../../output/OutputFlags.ts"
import { clusterListing } from "./ClusterListing.ts"
import type { submitRun } from "./ClusterProgram.ts"
import { onCluster } from "./OnCluster.ts"

/** A checked input that is submitted to a cluster. */
export interface SubmitInput extends OutputOptions {
  readonly cluster: string
  readonly yes: boolean
  readonly options: Omit<Parameters<typeof submitRun>[1], "publicKey">
}

const isUrl = (file: string): boolean => /^https?:\/\//iu.test(file)

/** Submits a run, and prints its record. */
export const submitToCluster = Effect.fnUntraced(function* (input: SubmitInput, found: Scan) {
  const { cluster, options, yes } = input
  const output = yield* openOutput(clusterListing, input)
  yield* confirmAction(`${options.kind} ${counted(found.lines, "line")} on the cluster "${cluster}"`, yes)
  const flag = cluster === "default" ? "--cluster" : `--cluster=${cluster}`
  let run = ""
  const failedIn = options.failedIn && resolve(options.failedIn)
  const file = isUrl(options.file) ? options.file : resolve(options.file)
  const status = yield* onCluster(cluster, (program, place, { publicKey }, signal) => {
    const submitted = program.submitRun(place, { ...options, file, failedIn, publicKey }, signal)
    run = submitted.run
    return submitted.outcome
  }).pipe(
    Effect.onInterrupt(() => output.note(`Interrupted. Submit the rest with: signalbox bulk resume ${run} ${flag}`))
  )
  yield* output.rows([status])
  yield* output.note(`Submitted; workers do the rest. Follow it with: signalbox bulk status ${run} ${flag} --wait`)
})
