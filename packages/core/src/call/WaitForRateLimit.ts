import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { OperationName } from "../contract/Operations.ts"
import type { CallStateShape } from "./CallState.ts"
import { RateLimited } from "../errors/Reason.ts"
import type { CallRecord } from "./CallRecord.ts"
import { jittered } from "./Retry.ts"
import type { CallFailure } from "./CallFailure.ts"

/** How long until the rate limit allows a request; 0 when it allows one now. All times are monotonic milliseconds. */
export const waitOf = (state: CallStateShape, operation: OperationName, now: number): number => {
  const window = state.windows.get(state.categories.get(operation) ?? "")
  return window === undefined || window.remaining !== 0 ? 0 : Math.max(0, window.endsAt - now)
}

/** Whether the rate limit allows no request now, where the client waits for it. */
export const isExhausted = (
  { isThrottled, monotonicMs, operation }: Pick<CallRecord, "isThrottled" | "monotonicMs" | "operation">,
  state: CallStateShape
): boolean => isThrottled && waitOf(state, operation, monotonicMs()) > 0

const noWait = Effect.succeed(0)

/** Waits while the rate limit is exhausted, and returns how long it waited, in milliseconds. */
export const waitForRateLimit = (
  { deadline, isThrottled, monotonicMs, observer, operation, policies }: CallRecord,
  state: CallStateShape
): Effect.Effect<number, CallFailure<RateLimited>> => {
  const now = monotonicMs()
  const wait = isThrottled ? waitOf(state, operation, now) : 0
  if (wait === 0) return noWait
  if (now + wait < deadline) {
    const random = Context.get(policies, Random.Random).nextDoubleUnsafe()
    const delay = jittered(Math.ceil(wait), deadline - now, random)
    const category = state.categories.get(operation) ?? ""
    const window = state.windows.get(category)
    observer?.onWait?.(delay)
    return Effect.map(Effect.sleep(delay), () => {
      // Over, also for a program whose timers run on another clock, such as the fake timers of a test. Another call can
      // have learned of a new window meanwhile.
      if (state.windows.get(category) === window) state.windows.delete(category)
      return delay
    })
  }
  const message = "not sent: the rate limit is exhausted"
  return Effect.fail({ reason: new RateLimited({ message, retryAfterMs: Math.ceil(wait) }) })
}
