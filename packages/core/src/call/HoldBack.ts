import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { CallStateShape } from "./CallState.ts"
import { RateLimited } from "../errors/Reason.ts"
import { Throttling } from "../policies/Throttling.ts"
import type { CallRecord } from "./CallRecord.ts"
import type { CallFailure } from "./CallFailure.ts"
import * as RateLimitHeaders from "./RateLimitHeaders.ts"

const noWait = Effect.succeed(0)

/** Waits where the service has said that no request is left, and answers for how long; 0 when one can be sent now. */
export const holdBack = (
  { clock, deadline, operation, policies }: CallRecord,
  state: CallStateShape
): Effect.Effect<number, CallFailure<RateLimited>> => {
  const now = clock.currentTimeMillisUnsafe()
  const wait = Context.get(policies, Throttling) === "wait" ? RateLimitHeaders.holdBack(state, operation, now) : 0
  if (wait === 0) return noWait
  if (now + wait < deadline) return Effect.as(Effect.sleep(wait), wait)
  const message = "not sent: the rate limit is exhausted"
  return Effect.fail({ reason: new RateLimited({ message, retryAfterMs: wait }) })
}
