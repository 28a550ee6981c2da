import type { CallStateShape } from "./CallState.ts"
import type { OperationName } from "../contract/Operations.ts"
import type { RateLimitSnapshot } from "./RateLimit.ts"
import type { AnswerHeaders } from "../transport/Transport.ts"
import { defined } from "../errors/Defined.ts"
import { rateLimitReset } from "./RetryHint.ts"

const numberOf = (value: string | undefined): number | undefined => {
  const match = /^\s*(\d+)/.exec(value ?? "")
  return match === null ? undefined : Number(match[1])
}

/** What an answer says about the rate limit; `undefined` when it says nothing. */
export const snapshotOf = (headers: AnswerHeaders, now: number): RateLimitSnapshot | undefined => {
  const limit = numberOf(headers["ratelimit-limit"] ?? headers["x-ratelimit-limit"])
  const remaining = numberOf(headers["ratelimit-remaining"] ?? headers["x-ratelimit-remaining"])
  const reset = rateLimitReset(headers, now)
  if (limit === undefined && remaining === undefined && reset === undefined) return undefined
  return defined({
    limit,
    remaining,
    resetAt: reset === undefined ? undefined : now + reset,
    policy: headers["ratelimit-policy"],
    observedAt: now
  })
}

// Where the service counts kinds of operations apart, it names the kind in the policy.
const categoryOf = (policy: string | undefined): string => /category="?([\w-]+)/.exec(policy ?? "")?.[1] ?? ""

/** Keeps what an answer says about the rate limit. */
export const remember = (
  state: CallStateShape,
  operation: OperationName,
  headers: AnswerHeaders,
  now: number
): void => {
  const snapshot = snapshotOf(headers, now)
  if (snapshot === undefined) return
  const category = categoryOf(snapshot.policy)
  state.lastSnapshot = snapshot
  state.categories.set(operation, category)
  state.snapshots.set(category, snapshot)
}

/** How long to hold back before the next request, in milliseconds; 0 when something is left. */
export const holdBack = (state: CallStateShape, operation: OperationName, now: number): number => {
  const snapshot = state.snapshots.get(state.categories.get(operation) ?? "")
  if (snapshot?.remaining !== 0 || snapshot.resetAt === undefined) return 0
  // A clock that was set back since then says nothing about the time that is left.
  return now < snapshot.observedAt ? 0 : Math.max(0, snapshot.resetAt - now)
}
