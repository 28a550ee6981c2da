// Whether another request still exists depends on the platform, not on the program's clock.
// @effect-diagnostics globalTimers:off
// @effect-diagnostics globalTimersInEffect:off
import * as Effect from "effect/Effect"
import type { Timeout } from "../errors/Reason.ts"
import { type CallFailure, late } from "./CallFailure.ts"
import { type CallRecord, prolong } from "./CallRecord.ts"
import type { CallStateShape } from "./CallState.ts"
import { limited } from "./TimeLimit.ts"

/** Waits until a call may send its first request, and returns how long that took, in milliseconds. */
export type Turn = (record: CallRecord) => Effect.Effect<number, CallFailure<Timeout>>

/** Waits until the call's deadline at most. */
export const beforeDeadline = <A, E, E2>(
  { deadline, monotonicMs }: CallRecord,
  wait: Effect.Effect<A, E>,
  onDeadline: () => E2
): Effect.Effect<A, E | E2> => limited(wait, Math.max(0, deadline - monotonicMs()), () => Effect.fail(onDeadline()))

/** Waits for a turn, until the call's deadline at most; in background work the deadline moves by the wait. */
export const turnBeforeDeadline = <E, E2>(
  record: CallRecord,
  turn: Effect.Effect<void, E>,
  onDeadline: () => E2
): Effect.Effect<void, E | E2> => {
  const from = record.monotonicMs()
  return record.throttling === "background"
    ? Effect.map(turn, () => void (record.deadline += record.monotonicMs() - from))
    : beforeDeadline(record, turn, onDeadline)
}

/** How long after the previous check a waiting call checks for holders that are gone, in milliseconds. */
const checkMs = 1000

/**
 * Waits until `record.wake` is called; `begin` runs when that is possible. Each second, holders of the client that lapsed
 * before the previous check are released: they have had the time to finish.
 */
export const awaitTurn = <E>(
  state: CallStateShape,
  record: CallRecord,
  begin: () => void,
  onDeadline: () => E
): Effect.Effect<void, E> =>
  turnBeforeDeadline(
    record,
    Effect.callback<void>((resume) => {
      const { monotonicMs } = record
      const timer = setInterval(() => {
        const since = state.checkedAt
        if (monotonicMs() - since < checkMs) return
        state.checkedAt = monotonicMs()
        for (const [release, { lapsesAt }] of state.holders) if (lapsesAt < since) release()
      }, checkMs)
      // A promise, because Workers continue it in the request that waits: only there, the call may send. And not at once:
      // the call that has just finished would run this one inside of itself.
      void new Promise<void>((resolve) => {
        record.wake = () => {
          // Others release it unless it continues: on Workers, its own request may have ended.
          record.lapsesAt = monotonicMs()
          resolve()
        }
      }).then(() => {
        clearInterval(timer)
        prolong(record)
        return resume(Effect.void)
      })
      begin()
      return Effect.sync(() => clearInterval(timer))
    }),
    onDeadline
  )

/**
 * Runs a call after all earlier calls of the client that change the same entry: services read, change and write an entry
 * without a lock, so of two writes at the same time one is lost. A call that ends before its turn leaves the queue.
 */
export const inOrder = <A, E>(
  state: CallStateShape,
  entry: string,
  call: (turn: Turn) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    const { holders, writes } = state
    const queue = writes.get(entry) ?? new Map<() => void, { readonly wake: () => void }>()
    const isFirst = () => queue.keys().next().value === leave
    const leave = () => {
      const wasFirst = isFirst()
      holders.delete(leave)
      if (!queue.delete(leave)) return
      if (queue.size === 0) writes.delete(entry)
      else if (wasFirst) queue.values().next().value?.wake()
    }
    const turn: Turn = (record) => {
      holders.set(leave, record)
      writes.set(entry, queue.set(leave, record))
      return Effect.suspend(() =>
        isFirst()
          ? Effect.succeed(0)
          : Effect.map(
              awaitTurn(
                state,
                record,
                () => {},
                () => late(record.timeouts.callMs, "earlier calls for the same entry did not finish")
              ),
              () => Math.round(record.monotonicMs() - record.started)
            )
      )
    }
    return Effect.onExit(call(turn), () => Effect.sync(leave))
  })
