/**
 * The clients of the simulation as targets of the check that users run.
 */
import * as Context from "effect/Context"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { Credentials } from "@signalbox/core/Credentials"
import { Events } from "@signalbox/core/Events"
import { Messages } from "@signalbox/core/Messages"
import type { SignalboxError } from "@signalbox/core/Errors"
import { Timeouts } from "@signalbox/core/Timeouts"
import type { CallToMake, CheckOptions, MakeClient } from "@signalbox/test-harness"
import type { ClientUnderTest } from "../ClientUnderTest.ts"
import { outcomeOf, reportOf } from "../CallReport.ts"
import { makeRecorder } from "../Recorder.ts"
import { CurrentWatch } from "../Watch.ts"

/** The client's promises besides the rules: three requests for each call, aborts, and upserts that do not lose others. */
export const promises: CheckOptions = { maxRequests: 3, aborts: true, concurrent: true }

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
          return reportOf(outcomeOf(yield* Fiber.await(fiber), recorder), recorder)
        })
      )
  }
