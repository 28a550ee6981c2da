import type { CallStateShape } from "./CallState.ts"
import type { OperationName } from "../contract/Operations.ts"
import type { RateLimitSnapshot } from "./RateLimit.ts"
import type { ResponseHeaders } from "../transport/Transport.ts"
import { defined } from "../errors/Defined.ts"

const seconds = /^\d+(?:\.\d+)?$/

// A value this large is a point in time in seconds since 1970 and no number of seconds to wait.
const earliestEpochSecond = 1_000_000_000

const largest = Number.MAX_SAFE_INTEGER

/** The time that the service itself has, else that of this client: a wrong clock here must not change a delay. */
const serviceTime = (headers: ResponseHeaders, now: number): number => {
  const date = Date.parse(headers["date"] ?? "")
  return Number.isNaN(date) ? now : date
}

const retryAfter = (headers: ResponseHeaders, now: number): number | undefined => {
  const value = (headers["retry-after"] ?? "").trim()
  if (seconds.test(value)) return Math.min(largest, Number(value) * 1000)
  // A date has letters; without them `Date.parse` takes "-3" and "1,5" for years.
  if (!/[a-z]/i.test(value)) return undefined
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - serviceTime(headers, now))
}

/** When the window of the rate limit ends, in milliseconds from now. */
export const rateLimitReset = (headers: ResponseHeaders, now: number): number | undefined => {
  const value = (headers["ratelimit-reset"] ?? headers["x-ratelimit-reset"])?.trim()
  if (value === undefined || !seconds.test(value)) return undefined
  const number = Number(value)
  if (number < earliestEpochSecond) return number * 1000
  return Math.min(largest, Math.max(0, number * 1000 - serviceTime(headers, now)))
}

/**
 * How long the service asks to wait, in milliseconds: `Retry-After` in seconds or as a date, else `RateLimit-Reset`
 * where it refers to a rate limit. Negative and malformed values are ignored.
 */
export const retryHint = (status: number, headers: ResponseHeaders, now: number): number | undefined =>
  retryAfter(headers, now) ?? (status === 429 ? rateLimitReset(headers, now) : undefined)

const numberOf = (value: string | undefined): number | undefined => {
  const match = value === undefined ? null : /^\s*(\d+)/.exec(value)
  return match === null ? undefined : Number(match[1])
}

/** The rate limit that a response reports; `undefined` when it reports no rate limit. */
export const snapshotOf = (headers: ResponseHeaders, now: number): RateLimitSnapshot | undefined => {
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

/** Stores the rate limit of a response, if it reports one; `monotonicMs` is the time that waits are measured by. */
export const remember = (
  state: CallStateShape,
  operation: OperationName,
  snapshot: RateLimitSnapshot | undefined,
  now: number,
  monotonicMs: number
): void => {
  if (snapshot === undefined) return
  const category = categoryOf(snapshot.policy)
  state.lastSnapshot = snapshot
  state.categories.set(operation, category)
  // A service can name another category in every response.
  if (state.windows.size > 9) state.windows.clear()
  const { remaining, resetAt } = snapshot
  // Without an end of the window, a wait would never end.
  if (resetAt === undefined) state.windows.delete(category)
  else state.windows.set(category, { remaining, endsAt: monotonicMs + resetAt - now })
}
