/**
 * Sends lines: how many at once, when to wait, and when a line is sent again.
 */
import { Credentials } from "@signalbox/core/Credentials"
import { Messages } from "@signalbox/core/Messages"
import { RateLimit } from "@signalbox/core/RateLimit"
import { makeStoredTokens } from "@signalbox/core/StoredTokens"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Semaphore from "effect/Semaphore"
import type { OutcomeRecord } from "../journal/JournalRecord.ts"
import { RunStopped } from "../RunError.ts"
import { Concurrency } from "./Concurrency.ts"
import { type Gate, open as openGate } from "./Gate.ts"
import { callLine, type CallResult, type Delivery, type PendingLine } from "./LineCall.ts"
import { Pause } from "./Pause.ts"
import type { Progress } from "./Progress.ts"

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
  /** Sends nothing more; calls in flight finish. */
  readonly stop: Effect.Effect<void>
  readonly progress: () => Pick<Progress, "inFlight" | "concurrency" | "waiting">
}

/** A line that fails while the service is not available is sent this often, after which it gets its outcome. */
const maxRounds = 3

type Retry = Extract<CallResult, { readonly _tag: "Retry" }>

/** How many calls a sender makes at once, and what they pass. */
export interface SenderLimits {
  /** Calls in flight at most. */
  readonly max: number
  /** Calls in flight at first; few when absent. */
  readonly start?: number
  /** A limit shared with other senders; none when absent. */
  readonly gate?: Gate
}

/** Makes the sender of a run. */
export const makeSender = Effect.fnUntraced(function* (
  delivery: Delivery,
  { gate = openGate, max, start }: SenderLimits
): Effect.fn.Return<Sender, never, Credentials | Messages | RateLimit> {
  const services = { credentials: yield* Credentials, messages: yield* Messages, gate, stored: makeStoredTokens() }
  const rateLimit = yield* RateLimit
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const concurrency = new Concurrency(max, start)
  const pause = new Pause(now())
  const slots = yield* Semaphore.make(concurrency.limit)
  const stopping = yield* Latch.make()
  let allowed = concurrency.limit
  let inFlight = 0
  let isStopping = false

  /** Adapts to the rate limit as the service last described it. */
  const followRateLimit = Effect.flatMap(rateLimit.snapshot, (snapshot) => {
    const { remaining = Infinity, resetAt = 0 } = snapshot ?? {}
    const isCurrent = resetAt > now()
    if (isCurrent && remaining === 0) pause.until("RateLimited", resetAt)
    const limit = Math.max(1, Math.min(concurrency.limit, isCurrent ? remaining : Infinity))
    if (limit === allowed) return Effect.void
    allowed = limit
    return Effect.asVoid(Semaphore.resize(slots, limit))
  })

  /** Adapts to a finished call. */
  const adapt = (startedAt: number, result: CallResult) =>
    Effect.suspend(() => {
      const isDropped = result._tag === "Retry"
      concurrency.observe({ durationMs: now() - startedAt, inFlight, isDropped })
      if (isDropped) pause.failed(result.reason, now(), result.retryAfterMs)
      else pause.succeeded(now())
      inFlight--
      return followRateLimit
    })

  /** One call, when there is a slot for it; `undefined` when sending has stopped. */
  const call = (pending: PendingLine) =>
    Semaphore.withPermit(
      slots,
      Effect.suspend(() => {
        if (isStopping) return Effect.undefined
        return gate.through(
          Effect.suspend(() => {
            if (isStopping) return Effect.undefined
            const startedAt = now()
            inFlight++
            return Effect.tap(callLine(services, delivery, pending), (result) => adapt(startedAt, result))
          })
        )
      })
    )

  const waitForService = Effect.suspend(() => {
    const waiting = pause.at(now())
    if (waiting === undefined || isStopping) return Effect.void
    return Effect.ignore(Effect.timeout(stopping.await, waiting.until - now()))
  })

  const stoppedFor = (reason: string, message: string) =>
    new RunStopped({ message: `${message} The run stopped; resume it afterwards`, id: delivery.runId, reason })

  const outageOf = ({ reason, record }: Retry): RunStopped | undefined =>
    reason !== "RateLimited" && pause.isOutage(now())
      ? stoppedFor(reason, `the service is not available: ${record.message ?? reason}.`)
      : undefined

  const send = Effect.fnUntraced(function* (first: PendingLine): Effect.fn.Return<Sent> {
    let exposures = first.exposures
    let last: Retry | undefined
    // A line that cannot be sent again must not get lost: it may have been applied.
    const notSent = (stopped?: RunStopped): Sent => ({
      record: last !== undefined && exposures > first.exposures ? { ...last.record, outcome: "unknown" } : undefined,
      stopped
    })
    for (let round = 1; round <= maxRounds;) {
      yield* waitForService
      const result = yield* call({ ...first, exposures })
      if (result === undefined) return notSent()
      if (result._tag === "Outcome") return { record: result.record, stopped: undefined }
      if (result._tag === "Stop") return notSent(stoppedFor(result.reason, result.message))
      last = result
      exposures = result.exposures
      const outage = outageOf(result)
      if (outage !== undefined) return notSent(outage)
      if (!result.isCertain) round++
    }
    return { record: last?.record, stopped: undefined }
  })

  return {
    send,
    stop: Effect.suspend(() => {
      isStopping = true
      return Effect.asVoid(stopping.open)
    }),
    progress: () => ({ inFlight, concurrency: allowed, waiting: pause.at(now()) })
  }
})
