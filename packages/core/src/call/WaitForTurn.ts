import * as Effect from "effect/Effect"
import { type CallFailure, late } from "./CallFailure.ts"
import type { CallRecord } from "./CallRecord.ts"
import { type CallStateShape, gateOf } from "./CallState.ts"
import { defined } from "../errors/Defined.ts"
import { RateLimited, type Timeout } from "../errors/Reason.ts"
import { turnBeforeDeadline } from "./InOrder.ts"
import { endWait, type RateGate, waitOf } from "./RateGate.ts"
import { jittered } from "./Retry.ts"
import { startTimer } from "./TimeLimit.ts"

/** Starts the waiting calls whose turn has come, and sets the timer for the next one. */
const startWaiting = (
  state: CallStateShape,
  { monotonicMs, policies }: Pick<CallRecord, "monotonicMs" | "policies">
): void => {
  state.cancelTimer()
  if (state.waiting.size === 0) return
  const gates = new Set(state.gates.values()).size
  const closed = new Map<RateGate, number>()
  for (const start of state.waiting) {
    if ((closed.size === gates && state.exempt === 0) || !start(closed)) break
  }
  let shortest = Infinity
  for (const [gate, delay] of closed) {
    if (!(delay < shortest)) continue
    shortest = delay
    state.cancelTimer()
    state.cancelTimer = startTimer(policies, delay, () => {
      endWait(gate, monotonicMs())
      startWaiting(state, { monotonicMs, policies })
    })
  }
}

/**
 * Runs a request when the client has fewer in progress than the call allows and the rate limit has room for it, in the
 * order in which calls arrived. An interrupted call gives up its place, or its turn.
 */
export const inTurn = <A, E>(
  state: CallStateShape,
  record: CallRecord,
  request: Effect.Effect<A, E>
): Effect.Effect<A, E | CallFailure<RateLimited | Timeout>> =>
  Effect.suspend(() => {
    const { maxConcurrency, monotonicMs, observer, operation, throttling, timeouts } = record
    const { waiting } = state
    const exempt = Number(throttling === "off")
    let gate = gateOf(state, operation)
    let isInProgress = false
    /** How long the rate limit delays the request, in milliseconds. */
    const delayOf = () => {
      gate = gateOf(state, operation)
      return throttling === "off" ? 0 : waitOf(gate, throttling === "background", monotonicMs())
    }
    const failure = (): CallFailure<RateLimited | Timeout> => {
      const delay = delayOf()
      if (delay === 0) return late(timeouts.callMs, `no turn under the limit of ${maxConcurrency} concurrent requests`)
      const retryAfterMs = delay === Infinity ? undefined : Math.ceil(delay)
      return {
        reason: new RateLimited({ message: "not sent: the rate limit is exhausted", ...defined({ retryAfterMs }) })
      }
    }
    const start = () => {
      isInProgress = true
      gate.room--
      gate.inProgress++
      state.inProgress++
    }
    const finish = Effect.sync(() => {
      if (isInProgress) {
        gate.inProgress--
        state.inProgress--
        gate.idleFrom = monotonicMs()
      }
      startWaiting(state, record)
    })
    // Time without work does not count when the rate is learned.
    if (waiting.size === 0 && gate.inProgress === 0) {
      const now = monotonicMs()
      gate.countedFrom += now - gate.idleFrom
      // This call may give up before it sends anything.
      gate.idleFrom = now
    }
    // Calls that wait for the rate limit do not hold up one that ignores it.
    if ((waiting.size === 0 || throttling === "off") && state.inProgress < maxConcurrency && delayOf() === 0) {
      const started = Effect.suspend(() => {
        start()
        return request
      })
      return Effect.onExit(started, () => finish)
    }
    const turn = Effect.callback<void, CallFailure<RateLimited | Timeout>>((resume) => {
      const tryToStart = (closed: Map<RateGate, number>): boolean => {
        if (state.inProgress >= maxConcurrency) return false
        const delay = delayOf()
        const isTooLong = throttling === "wait" && delay < Infinity && monotonicMs() + delay >= record.deadline
        if (delay > 0 && !isTooLong) {
          // Background work without a known limit holds up no other calls.
          if (!closed.has(gate) && gate.room < Infinity) closed.set(gate, jittered(record, Math.ceil(delay)))
          return true
        }
        leave()
        if (delay === 0) start()
        const next = delay === 0 ? Effect.void : Effect.fail(failure())
        // Not at once: the request that has just finished would run this one inside of itself.
        queueMicrotask(() => resume(next))
        return true
      }
      const leave = () => {
        if (waiting.delete(tryToStart)) state.exempt -= exempt
      }
      waiting.add(tryToStart)
      state.exempt += exempt
      startWaiting(state, record)
      const delay = waiting.has(tryToStart) ? delayOf() : 0
      if (delay > 0 && delay < Infinity) observer?.onWait?.(Math.ceil(delay))
      return Effect.sync(leave)
    })
    return Effect.onExit(
      Effect.flatMap(turnBeforeDeadline(record, turn, failure), () => request),
      () => finish
    )
  })
