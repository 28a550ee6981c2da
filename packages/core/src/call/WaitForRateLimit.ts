import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { OperationName } from "../contract/Operations.ts"
import type { CallStateShape } from "./CallState.ts"
import { RateLimited } from "../errors/Reason.ts"
import { Throttling } from "../policies/Throttling.ts"
import type { CallRecord } from "./CallRecord.ts"
import type { CallFailure } from "./CallFailure.ts"

/** How long until the rate limit allows a request, in milliseconds; 0 when it allows one now. */
export const waitOf = (state: CallStateShape, operation: OperationName, now: number): number => {
  const snapshot = state.snapshots.get(state.categories.get(operation) ?? "")
  if (snapshot?.remaining !== 0 || snapshot.resetAt === undefined) return 0
  // A clock that was set back since then says nothing about the time that is left.
  return now < snapshot.observedAt ? 0 : Math.max(0, snapshot.resetAt - now)
}

const noWait = Effect.succeed(0)

/** Waits while the rate limit is exhausted, and returns how long it waited, in milliseconds. */
export const waitForRateLimit = (
  { clock, deadline, operation, policies }: CallRecord,
  state: CallStateShape
): Effect.Effect<number, CallFailure<RateLimited>> => {
  const now = clock.currentTimeMillisUnsafe()
  const wait = Context.get(policies, Throttling) === "wait" ? waitOf(state, operation, now) : 0
  if (wait === 0) return noWait
  if (now + wait < deadline) return Effect.as(Effect.sleep(wait), wait)
  const message = "not sent: the rate limit is exhausted"
  return Effect.fail({ reason: new RateLimited({ message, retryAfterMs: wait }) })
}
