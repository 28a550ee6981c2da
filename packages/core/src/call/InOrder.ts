import * as Effect from "effect/Effect"
import type { Timeout } from "../errors/Reason.ts"
import { type CallFailure, late } from "./CallFailure.ts"
import type { CallRecord } from "./CallRecord.ts"
import type { CallStateShape } from "./CallState.ts"
import { limited } from "./TimeLimit.ts"

/** Waits until a call may send its first request, and returns how long that took, in milliseconds. */
export type Turn = (record: CallRecord) => Effect.Effect<number, CallFailure<Timeout>>

/** Waits until the call's deadline at most. */
export const beforeDeadline = <A, E, E2>(
  { deadline, monotonicMs }: CallRecord,
  wait: Effect.Effect<A, E>,
  onDeadline: () => E2
): Effect.Effect<A, E | E2> =>
  deadline === Infinity ? wait : limited(wait, Math.max(0, deadline - monotonicMs()), () => Effect.fail(onDeadline()))

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

/**
 * Runs a call after all earlier calls of the client that change the same entry: services read, change and write an entry
 * without a lock, so of two writes at the same time one is lost. A call that ends before its turn leaves the queue.
 */
export const inOrder = <A, E>(
  { writes }: CallStateShape,
  entry: string,
  call: (turn: Turn) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.suspend(() => {
    let start = () => {}
    const place = () => start()
    const isFirst = () => writes.get(entry)?.values().next().value === place
    const turn: Turn = (record) => {
      if (isFirst()) return Effect.succeed(0)
      const isNext = Effect.callback<void>((resume) => {
        // Not at once: the call that has just finished would run this one inside of itself.
        start = () => queueMicrotask(() => resume(Effect.void))
      })
      return Effect.map(
        turnBeforeDeadline(record, isNext, () =>
          late(record.timeouts.callMs, "earlier calls for the same entry did not finish")
        ),
        () => Math.round(record.monotonicMs() - record.started)
      )
    }
    const queued = Effect.suspend(() => {
      writes.set(entry, (writes.get(entry) ?? new Set()).add(place))
      return call(turn)
    })
    const leave = Effect.sync(() => {
      const wasFirst = isFirst()
      const queue = writes.get(entry)
      queue?.delete(place)
      if (queue?.size === 0) writes.delete(entry)
      else if (wasFirst) queue?.values().next().value?.()
    })
    return Effect.onExit(queued, () => leave)
  })
