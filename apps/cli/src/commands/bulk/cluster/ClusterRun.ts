/**
 * The commands that name a run on a cluster; they work from every machine that reaches its database.
 */
import {
  clientLayer,
  type ClusterRuns,
  type ClusterRunStatus,
  readLayer,
  retryFailed as startPass,
  submit
} from "@signalbox/bulk/cluster"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import { UsageError } from "../../../failure/CommandError.ts"
import { openOutput } from "../../../output/Output.ts"
import type { OutputOptions } from "../../../output/OutputFlags.ts"
import { makeProgressPrinter } from "../ProgressLine.ts"
import { type MaxRateOptions, refuseMaxRate } from "../MaxRateFlag.ts"
import { requireSuccess } from "../RunFailure.ts"
import { clusterListing, reportListing } from "../RunListing.ts"
import { openCluster, type OpenCluster } from "./OpenCluster.ts"

/** A run on a cluster. */
export interface ClusterRunInput extends OutputOptions {
  readonly run: string
  readonly cluster: string
}

type Runs = ClusterRuns["Service"]

/** The run that a name means; `.` means the newest. */
const idOf = (runs: Runs, run: string) => (run === "." ? runs.newest : Effect.succeed(run))

/** Progress of a run, by how it was when it was first seen. */
const progressSince = () => {
  let first: { readonly at: number; readonly done: number } | undefined
  return ({ counts, total = 0 }: ClusterRunStatus, now: number) => {
    const done = Object.values(counts).reduce((sum, count) => sum + count, 0)
    first ??= { at: now, done }
    const perSecond = now === first.at ? 0 : ((done - first.done) * 1000) / (now - first.at)
    const timeLeftMs = perSecond <= 0 ? undefined : ((total - done) * 1000) / perSecond
    return { counts, total, perSecond, timeLeftMs, waiting: undefined }
  }
}

/** Prints the run that an action returns. */
const showRun = Effect.fnUntraced(function* (
  input: ClusterRunInput,
  layerOf: typeof clientLayer | typeof readLayer,
  act: (
    opened: OpenCluster,
    id: string
  ) => Effect.Effect<ClusterRunStatus, Parameters<OpenCluster["failed"]>[0], ClusterRuns>
) {
  const output = yield* openOutput(clusterListing, input)
  const opened = yield* openCluster(input.cluster, layerOf)
  const { context, failed, runs } = opened
  const run = yield* Effect.flatMap(idOf(runs, input.run), (id) => act(opened, id)).pipe(
    Effect.provide(context),
    Effect.mapError(failed)
  )
  yield* output.rows([run])
  return run
}, Effect.scoped)

/** Shows the status of a run. */
export const status = Effect.fnUntraced(function* (input: ClusterRunInput, waits: boolean) {
  if (!waits) return void (yield* showRun(input, readLayer, ({ runs }, id) => runs.status(id)))
  const printer = yield* makeProgressPrinter(input.quiet)
  const progressOf = progressSince()
  const ended = yield* showRun(input, readLayer, ({ runs }, id) =>
    Effect.gen(function* () {
      for (;;) {
        const known = yield* runs.status(id)
        printer?.show(progressOf(known, yield* Clock.currentTimeMillis))
        if (known.state === "finished" || known.state === "cancelled") return known
        yield* Effect.sleep("1 second")
      }
    }).pipe(Effect.ensuring(printer?.clear ?? Effect.void))
  )
  const flag = input.cluster === "default" ? "--cluster" : `--cluster=${input.cluster}`
  yield* requireSuccess(ended, `${ended.id} ${flag}`)
})

/** Submits the rest of a run whose submission was interrupted. */
export const resume = (input: ClusterRunInput & MaxRateOptions) =>
  Effect.andThen(
    refuseMaxRate(input),
    showRun(
      input,
      clientLayer,
      Effect.fnUntraced(function* ({ cluster: { publicKey }, runs }, run) {
        const { state } = yield* runs.status(run)
        if (state !== "planning") {
          return yield* new UsageError({ message: `run ${run} is ${state}; workers continue it without a command` })
        }
        const { file, input, kind, options } = yield* runs.submitted(run)
        if (input.type === "sealed") {
          const message = `the URL of run ${run} is encrypted; cancel the run, and import the URL again`
          return yield* new UsageError({ message })
        }
        return yield* submit({ run, kind, file, ...options, stage: input.type === "staged", publicKey })
      })
    )
  )

/** Sends the failed lines of a run again. */
export const retryFailed = (input: ClusterRunInput & MaxRateOptions, atLeastOnce: true | undefined) =>
  Effect.andThen(
    refuseMaxRate(input),
    showRun(input, clientLayer, (_, id) => startPass(id, { atLeastOnce }))
  )

/** Ends a run. */
export const cancel = (input: ClusterRunInput) => showRun(input, clientLayer, ({ runs }, id) => runs.cancel(id))

const reportBatch = 500

/** Prints the outcome of every line that has one. */
export const report = Effect.fnUntraced(function* (
  input: ClusterRunInput & { readonly failedInput: Option.Option<string> }
) {
  if (Option.isSome(input.failedInput)) {
    return yield* new UsageError({ message: "--failed-input and --cluster exclude each other" })
  }
  const output = yield* openOutput(reportListing, input)
  const { failed, runs } = yield* openCluster(input.cluster, readLayer)
  const { id } = yield* idOf(runs, input.run).pipe(Effect.flatMap(runs.status), Effect.mapError(failed))
  yield* runs.report(id).pipe(
    Stream.mapError(failed),
    Stream.grouped(reportBatch),
    Stream.runForEach((lines) => output.rows(lines))
  )
}, Effect.scoped)
