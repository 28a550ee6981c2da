/**
 * Records everything that a call reports while it runs: attempts, facts, metrics, drift and spans.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import type { Attempt } from "@signalbox/core/Errors"
import { type CallInfo, CallObserver } from "@signalbox/core/CallInfo"
import { CallMetrics, type EndedCall } from "@signalbox/core/CallMetrics"
import { Drift, type DriftReport } from "@signalbox/core/Drift"
import { type ClockStep, steppedClock } from "./VirtualTime.ts"
import { CurrentWatch, makeWatch, type Watch, watchedClock } from "./Watch.ts"

/** Everything that a call, or a walk or batch of several calls, reported. */
export interface Recording {
  readonly watch: Watch
  /** Every attempt that the observer received. */
  readonly attempts: ReadonlyArray<Attempt>
  /** The facts of every successful call. */
  readonly infos: ReadonlyArray<CallInfo>
  readonly metrics: ReadonlyArray<EndedCall>
  readonly drift: ReadonlyArray<DriftReport>
  readonly spans: ReadonlyArray<Tracer.NativeSpan>
}

/** A recording and the services that write it. */
export interface Recorder extends Recording {
  /** Adds the services to the context of a call. */
  readonly into: <R>(context: Context.Context<R>) => Context.Context<R>
}

/** Makes a recorder for a call on a clock. */
export const makeRecorder = (
  number: number,
  clock: Clock.Clock,
  duplicates = false,
  clockStep: ClockStep | undefined = undefined
): Recorder => {
  const watch = makeWatch(number, clock, duplicates)
  const attempts: Array<Attempt> = []
  const infos: Array<CallInfo> = []
  const metrics: Array<EndedCall> = []
  const drift: Array<DriftReport> = []
  const spans: Array<Tracer.NativeSpan> = []
  const services = Context.empty().pipe(
    Context.add(CurrentWatch, watch),
    Context.add(Clock.Clock, watchedClock(clockStep === undefined ? clock : steppedClock(clock, clockStep), watch)),
    Context.add(CallObserver, {
      onAttempt: (attempt) => void attempts.push(attempt),
      onCall: (info) => void infos.push(info)
    }),
    Context.add(CallMetrics, { record: (call) => void metrics.push(call) }),
    Context.add(Drift, { report: (report) => Effect.sync(() => void drift.push(report)) }),
    Context.add(
      Tracer.Tracer,
      Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        }
      })
    )
  )
  return {
    watch,
    attempts,
    infos,
    metrics,
    drift,
    spans,
    into: (context) => Context.merge(context, services)
  }
}
