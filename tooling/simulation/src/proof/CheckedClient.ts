/**
 * The clients of the simulation as targets of the check that users run.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { Credentials } from "@signalbox/core/Credentials"
import { Events } from "@signalbox/core/Events"
import { Messages } from "@signalbox/core/Messages"
import { isSignalboxError, type SignalboxError } from "@signalbox/core/SignalboxError"
import { Timeouts } from "@signalbox/core/Timeouts"
import type { CallResult, CallToMake, CheckOptions, MakeClient, ReportedRecord } from "@signalbox/test-harness"
import type { ClientUnderTest } from "../ClientUnderTest.ts"
import { makeRecorder, type Recording } from "../Recorder.ts"
import { CurrentWatch } from "../Watch.ts"

/** The client's promises besides the rules: three requests for each call, aborts, and upserts that do not lose others. */
export const promises: CheckOptions = { maxRequests: 3, aborts: true, concurrent: true }

/** The records that a call returned. */
const recordsOf = ({ operation }: CallToMake, value: unknown): ReadonlyArray<ReportedRecord> => {
  // The operation of a call decides the type of its value.
  switch (operation) {
    case "credentials.upsert":
      return [value as ReportedRecord]
    case "messages.markAs":
      return value as ReadonlyArray<ReportedRecord>
    case "events.list":
      return (value as { readonly data: ReadonlyArray<ReportedRecord> }).data
  }
}

const operate = (call: CallToMake): Effect.Effect<unknown, SignalboxError, Credentials | Messages | Events> => {
  switch (call.operation) {
    case "credentials.upsert": {
      const { abortAfterMs: _, deadlineMs: __, operation: ___, subscriberId, ...input } = call
      return Credentials.use((service) => service.upsert(subscriberId, input))
    }
    case "messages.markAs": {
      const { markAs, messageId, subscriberId } = call
      return Messages.use((service) => service.markAs(subscriberId, { messageId, markAs }))
    }
    case "events.list": {
      const { abortAfterMs: _, deadlineMs: __, operation: ___, ...filters } = call
      return Events.use((service) => service.list(filters))
    }
  }
}

/** The facts that every call reports, whether it failed or not. */
const reported = ({ attempts, metrics, spans }: Recording): Partial<CallResult> => ({
  attempts: attempts.map(({ durationMs, requestId = null, status = null }) => ({ durationMs, requestId, status })),
  telemetry: { spans: spans.length, metrics: metrics.length }
})

/** The facts that an error has about its call. */
const factsOf = ({ attempts, ...error }: SignalboxError): Partial<CallResult> => ({
  status: error.status ?? null,
  requestId: error.requestId ?? null,
  idempotencyKey: error.idempotencyKey ?? null,
  mayHaveBeenApplied: error.mayHaveBeenApplied,
  attempts: attempts.map(({ durationMs, requestId = null, status = null }) => ({ durationMs, requestId, status })),
  ...("accepted" in error.reason ? { accepted: error.reason.accepted } : {}),
  ...("delivery" in error.reason ? { delivery: error.reason.delivery } : {})
})

const resultOf = (call: CallToMake, exit: Exit.Exit<unknown, SignalboxError>, recording: Recording): CallResult => {
  if (Exit.isSuccess(exit)) {
    const drift = recording.drift.flatMap(({ entries }) => entries).length
    // A broken client may succeed without a value.
    const records = exit.value === undefined ? {} : { records: recordsOf(call, exit.value) }
    return { outcome: "ok", ...reported(recording), ...records, drift }
  }
  // An aborted call has neither an error nor metrics.
  if (Cause.hasInterruptsOnly(exit.cause)) return { outcome: "unknown" }
  const error = Cause.squash(exit.cause)
  if (!isSignalboxError(error)) return { outcome: "unknown", error }
  const outcome = error.mayHaveBeenApplied ? "unknown" : "failed"
  return { outcome, error, ...reported(recording), ...factsOf(error) }
}

/** A client as a target. */
export const checkedClient =
  (client: ClientUnderTest): MakeClient =>
  ({ apiKey, baseUrl, fetch, vendor }) => {
    const transport = FetchHttpClient.layer.pipe(Layer.provide(Layer.succeed(FetchHttpClient.Fetch, fetch)))
    const runtime = ManagedRuntime.make(
      Layer.fresh(client({ apiKey, baseUrl, vendor }, fetch)).pipe(Layer.provide(transport))
    )
    return (call) =>
      runtime.runPromise(
        Effect.gen(function* () {
          const recorder = makeRecorder(1, yield* Clock.Clock)
          const context = recorder.into(yield* Effect.context<Credentials | Messages | Events>()).pipe(
            // The service of a check sends request ids itself.
            Context.add(CurrentWatch, undefined)
          )
          const timed = operate(call).pipe(
            Effect.updateService(Timeouts, (timeouts) => ({ ...timeouts, callMs: call.deadlineMs })),
            Effect.provideContext(context)
          )
          const fiber = yield* Effect.forkChild(timed)
          if (call.abortAfterMs !== undefined)
            yield* Effect.forkChild(Effect.delay(Fiber.interrupt(fiber), call.abortAfterMs))
          return resultOf(call, yield* Fiber.await(fiber), recorder)
        })
      )
  }
