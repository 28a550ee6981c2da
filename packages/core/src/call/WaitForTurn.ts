import * as Effect from "effect/Effect"
import type { CallStateShape } from "./CallState.ts"

/**
 * Runs a request when the client has fewer than `limit` in progress, in the order in which requests arrived; `bound`
 * limits the time that it waits for its turn. An interrupted request gives up its place, or its turn.
 */
export const inTurn = <A, E, E2>(
  state: CallStateShape,
  limit: number,
  request: Effect.Effect<A, E>,
  bound: (turn: Effect.Effect<void>) => Effect.Effect<void, E2>
): Effect.Effect<A, E | E2> =>
  Effect.suspend(() => {
    let isInProgress = false
    const start = () => {
      isInProgress = true
      state.inProgress++
    }
    const finish = Effect.sync(() => {
      if (!isInProgress) return
      state.inProgress--
      const [next] = state.waiting
      next?.()
    })
    if (state.inProgress < limit && state.waiting.size === 0) {
      const started = Effect.suspend(() => {
        start()
        return request
      })
      return Effect.onExit(started, () => finish)
    }
    const turn = Effect.callback<void>((resume) => {
      const next = () => {
        state.waiting.delete(next)
        start()
        // Not at once: the request that has just finished would run this one inside of itself.
        resume(Effect.yieldNow)
      }
      state.waiting.add(next)
      return Effect.sync(() => state.waiting.delete(next))
    })
    return Effect.onExit(
      Effect.flatMap(bound(turn), () => request),
      () => finish
    )
  })
