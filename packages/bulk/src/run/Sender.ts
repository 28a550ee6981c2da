/**
 * Sends lines: when a line is sent again, and when the whole run must stop.
 */
import { Credentials, makeStoredTokens } from "@signalbox/core/Credentials"
import { Messages } from "@signalbox/core/Messages"
import * as Effect from "effect/Effect"
import type { OutcomeRecord } from "../journal/JournalRecord.ts"
import { RunStopped } from "../RunError.ts"
import { type Gate, open as openGate } from "./Gate.ts"
import { callLine, type CallResult, type Delivery, type PendingLine } from "./LineCall.ts"
import { interrupted } from "./LineOutcome.ts"
import type { Waiting } from "./Progress.ts"
import { makeRunCalls } from "./RunCalls.ts"

/** The result of sending a line. */
export interface Sent {
  /** Its outcome; `undefined` for a line that was not sent, or was certainly not applied, before sending stopped. */
  readonly record: OutcomeRecord | undefined
  /** Why the whole run must stop. */
  readonly stopped: RunStopped | undefined
}

/** Sends the lines of one run. */
export interface Sender {
  /** Sends a line until it has an outcome. */
  readonly send: (pending: PendingLine) => Effect.Effect<Sent>
  /** Sends nothing more; requests in progress finish. */
  readonly stop: Effect.Effect<void>
  /** The reason for waiting; `undefined` while lines are sent. */
  readonly waiting: () => Waiting | undefined
}

/** A line that fails while the service is not available is sent this often, after which it gets its outcome. */
const maxRounds = 3

/** How many lines are sent at once, and what they pass. */
export interface SenderLimits {
  readonly concurrency: number
  /** A limit shared with other senders; none when absent. */
  readonly gate?: Gate
}

/** Makes the sender of a run. */
export const makeSender = Effect.fnUntraced(function* (
  delivery: Delivery,
  { concurrency, gate = openGate }: SenderLimits
): Effect.fn.Return<Sender, never, Credentials | Messages> {
  const calls = yield* makeRunCalls(concurrency)
  const services = {
    credentials: yield* Credentials,
    messages: yield* Messages,
    calls,
    gate,
    stored: makeStoredTokens()
  }

  const call = (pending: PendingLine): Effect.Effect<CallResult> =>
    gate.through(Effect.suspend(() => callLine(services, delivery, pending)))

  const stoppedFor = (reason: string, message: string) =>
    new RunStopped({ message: `${message} The run stopped; resume it afterwards`, id: delivery.runId, reason })

  const send = Effect.fnUntraced(function* (first: PendingLine): Effect.fn.Return<Sent> {
    let exposures = first.exposures
    let last: OutcomeRecord = interrupted(first.line, first.generation)
    // A line that cannot be sent again must not get lost: it may have been applied.
    const unfinished = (stopped?: RunStopped): Sent => ({
      record: exposures > first.exposures ? { ...last, outcome: "unknown" } : undefined,
      stopped
    })
    for (let round = 1; round <= maxRounds;) {
      yield* calls.waitForService
      if (calls.isStopped()) return unfinished()
      const result = yield* call({ ...first, exposures })
      if (result._tag === "Outcome") return { record: result.record, stopped: undefined }
      if (result._tag === "Stop") {
        const sent = unfinished(stoppedFor(result.reason, result.message))
        return { ...sent, record: result.record ?? sent.record }
      }
      exposures = result.exposures
      if (result._tag === "NotSent") return unfinished()
      last = result.record
      const isOutage = calls.failed(result.reason, result.retryAfterMs)
      if (isOutage) {
        return unfinished(stoppedFor(result.reason, `the service is not available: ${last.message ?? result.reason}.`))
      }
      if (!result.isCertain) round++
    }
    return { record: last, stopped: undefined }
  })

  return { send, stop: calls.stop, waiting: calls.waiting }
})
