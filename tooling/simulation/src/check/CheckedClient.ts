/**
 * The clients of the simulation as targets of the check that users run.
 */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Cause from "effect/Cause"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import { Credentials } from "@signalbox/core/Credentials"
import { Events } from "@signalbox/core/Events"
import { Messages } from "@signalbox/core/Messages"
import { isSignalboxError, type SignalboxError } from "@signalbox/core/SignalboxError"
import { Timeouts } from "@signalbox/core/Timeouts"
import type { CallResult, CallToMake, MakeClient } from "@signalbox/test-harness"
import type { ClientUnderTest } from "../ClientUnderTest.ts"

/** What a listing returned; other calls return nothing that a check compares. */
const idsOf = (value: unknown): Pick<CallResult, "ids"> => {
  const data: unknown = Reflect.get(Object(value), "data")
  return Array.isArray(data) ? { ids: data.map((record: unknown) => String(Reflect.get(Object(record), "_id"))) } : {}
}

const operate = (call: CallToMake): Effect.Effect<unknown, SignalboxError, Credentials | Messages | Events> => {
  switch (call.operation) {
    case "credentials.upsert": {
      const { deadlineMs: _, operation: __, subscriberId, ...input } = call
      return Credentials.use((service) => service.upsert(subscriberId, input))
    }
    case "messages.markAs": {
      const { markAs, messageId, subscriberId } = call
      return Messages.use((service) => service.markAs(subscriberId, { messageId, markAs }))
    }
    case "events.list": {
      const { limit, transactionId } = call
      return Events.use((service) => service.list(transactionId === undefined ? { limit } : { limit, transactionId }))
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
    return async (call) => {
      const timed = Effect.updateService(operate(call), Timeouts, (timeouts) => ({
        ...timeouts,
        callMs: call.deadlineMs
      }))
      const exit = await runtime.runPromiseExit(timed)
      if (Exit.isSuccess(exit)) return { outcome: "ok", ...idsOf(exit.value) }
      const error = Cause.squash(exit.cause)
      const isDefinite = isSignalboxError(error) && !error.mayHaveBeenApplied
      return { outcome: isDefinite ? "failed" : "unknown", error }
    }
  }
