import * as Effect from "effect/Effect"
import { type CallFailure, late } from "./CallFailure.ts"
import type { CallRecord } from "./CallRecord.ts"
import { type CallStateShape, gateOf } from "./CallState.ts"
import { defined } from "../errors/Defined.ts"
import { RateLimited, type Timeout } from "../errors/Reason.ts"
import { awaitTurn } from "./InOrder.ts"
import { endWait, type RateGate, waitOf } from "./RateGate.ts"
import { jittered } from "./Retry.ts"
import { startTimer } from "./CallClock.ts"

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
    const onTime = () => {
      endWait(gate, monotonicMs())
      startWaiting(state, { monotonicMs, policies })
    }
    const cancel = startTimer(policies, delay, onTime)
    state.holders.set(onTime, { lapsesAt: monotonicMs() + delay })
    state.cancelTimer = () => {
      state.holders.delete(onTime)
      cancel()
    }
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
    /** How long the rate limit delays the request, in milliseconds. */
    const delayOf = () => {
      gate = gateOf(state, operation)
      return throttling === "off" ? 0 : waitOf(gate, throttling === "background", monotonicMs())
    }
    const failure = (): CallFailure<RateLimited | Timeout> => {
      const delay = delayOf()
      if (delay === 0) return late(timeouts.callMs, `no turn under the limit of ${maxConcurrency} concurrent requests`)
      const retryAfterMs = delay === Infinity ? undefined : Math.ceil(delay)
      const why = gate.isUnavailable
        ? "the service is unavailable and announced when to retry (503)"
        : "the rate limit is exhausted"
      return { reason: new RateLimited({ message: `not sent: ${why}`, ...defined({ retryAfterMs }) }) }
    }
    const start = () => {
      gate.room--
      gate.inProgress++
      state.inProgress++
      state.holders.set(finish, record)
    }
    const finish = () => {
      leave()
      if (state.holders.delete(finish)) {
        gate.inProgress--
        state.inProgress--
        gate.idleFrom = monotonicMs()
      }
      startWaiting(state, record)
    }
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
      record.wake()
      return true
    }
    const leave = () => {
      if (waiting.delete(tryToStart)) state.exempt -= exempt
    }
    // Time without work does not count when the rate is learned.
    if (waiting.size === 0 && gate.inProgress === 0) {
      const now = monotonicMs()
      gate.countedFrom += now - gate.idleFrom
      // This call may give up before it sends anything.
      gate.idleFrom = now
    }
    // Calls that wait for the rate limit do not hold up one that ignores it.
    const turn =
      (waiting.size === 0 || throttling === "off") && state.inProgress < maxConcurrency && delayOf() === 0
        ? Effect.sync(start)
        : awaitTurn(
            state,
            record,
            () => {
              waiting.add(tryToStart)
              state.exempt += exempt
              startWaiting(state, record)
              const delay = waiting.has(tryToStart) ? delayOf() : 0
              if (delay > 0 && delay < Infinity) observer?.onWait?.(Math.ceil(delay))
            },
            failure
          )
    return Effect.onExit(
      Effect.flatMap(turn, (): Effect.Effect<A, E | CallFailure<RateLimited | Timeout>> =>
        state.holders.has(finish) ? request : Effect.fail(failure())
      ),
      () => Effect.sync(finish)
    )
  })
