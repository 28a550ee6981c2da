/**
 * The commands that name a run on a cluster; they work from every machine that reaches its database.
 */
import type { ClusterRunStatus } from "@signalbox/bulk/cluster"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import { UsageError } from "../../../failure/CommandError.ts"
import { openOutput } from "../../../output/Output.ts"
import type { OutputOptions } from "../../../output/OutputFlags.ts"
import { makeProgressPrinter } from "../ProgressLine.ts"
import { type MaxRateOptions, refuseMaxRate } from "../MaxRateFlag.ts"
import { requireSuccess } from "../RunFailure.ts"
import { reportListing } from "../RunListing.ts"
import { clusterListing } from "./ClusterListing.ts"
import { onCluster } from "./OnCluster.ts"

/** A run on a cluster. */
export interface ClusterRunInput extends OutputOptions {
  readonly run: string
  readonly cluster: string
}

/** Progress of a run, by how it was when it was first seen. */
const progressSince = () => {
  let first: { readonly at: number; readonly done: number } | undefined
  return ({ counts, lines }: ClusterRunStatus, now: number) => {
    const done = Object.values(counts).reduce((sum, count) => sum + count, 0)
    first ??= { at: now, done }
    const perSecond = now === first.at ? 0 : ((done - first.done) * 1000) / (now - first.at)
    const timeLeftMs = perSecond <= 0 ? undefined : ((lines - done) * 1000) / perSecond
    return { counts, total: lines, perSecond, timeLeftMs, waiting: undefined }
  }
}

/** Shows the status of a run. */
export const status = Effect.fnUntraced(function* (input: ClusterRunInput, waits: boolean) {
  const { cluster, quiet, run } = input
  const output = yield* openOutput(clusterListing, input)
  if (!waits) {
    return yield* output.rows([yield* onCluster(cluster, (program, place) => program.statusOf(place, run))])
  }
  const printer = yield* makeProgressPrinter(quiet)
  const progressOf = progressSince()
  const ended = yield* onCluster(cluster, (program, place, _, signal) =>
    program.watchRun(place, run, (known) => printer?.show(progressOf(known, Date.now())), signal)
  ).pipe(Effect.ensuring(printer?.clear ?? Effect.void))
  yield* output.rows([ended])
  const flag = cluster === "default" ? "--cluster" : `--cluster=${cluster}`
  yield* requireSuccess(ended, `${ended.id} ${flag}`)
})

const showRun = Effect.fnUntraced(function* (
  input: ClusterRunInput,
  act: Parameters<typeof onCluster<ClusterRunStatus>>[1]
) {
  const output = yield* openOutput(clusterListing, input)
  yield* output.rows([yield* onCluster(input.cluster, act)])
})

/** Submits the rest of a run whose submission was interrupted. */
export const resume = (input: ClusterRunInput & MaxRateOptions) =>
  Effect.andThen(
    refuseMaxRate(input),
    showRun(input, (program, place, { publicKey }, signal) => program.resumeRun(place, input.run, publicKey, signal))
  )

/** Sends the failed lines of a run again. */
export const retryFailed = (input: ClusterRunInput & MaxRateOptions, atLeastOnce: true | undefined) =>
  Effect.andThen(
    refuseMaxRate(input),
    showRun(input, (program, place) => program.retryRun(place, input.run, atLeastOnce))
  )

/** Ends a run. */
export const cancel = (input: ClusterRunInput) =>
  showRun(input, (program, place) => program.cancelRun(place, input.run))

/** Prints the outcome of every line that has one. */
export const report = Effect.fnUntraced(function* (
  input: ClusterRunInput & { readonly failedInput: Option.Option<string> }
) {
  if (Option.isSome(input.failedInput)) {
    return yield* new UsageError({ message: "--failed-input and --cluster exclude each other" })
  }
  const output = yield* openOutput(reportListing, input)
  const context = yield* Effect.context<never>()
  yield* onCluster(input.cluster, (program, place, _, signal) =>
    program.reportOf(
      place,
      input.run,
      // Nothing more is read from the database once the reader of stdout is gone.
      async (lines) => Exit.isSuccess(await Effect.runPromiseExitWith(context)(output.rows(lines))),
      signal
    )
  )
})
