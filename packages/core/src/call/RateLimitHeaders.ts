import type { RateLimitSnapshot } from "./CallInfo.ts"
import type { ResponseHeaders } from "../transport/Transport.ts"
import { defined } from "../errors/Defined.ts"

const decimal = /^\d+(?:\.\d+)?$/

// Values this large are points in time in seconds or milliseconds since 1970, and no number of seconds to wait.
const earliestEpochSecond = 1_000_000_000
const earliestEpochMillisecond = 100_000_000_000

const largest = Number.MAX_SAFE_INTEGER

/** The time that the service itself has, else that of this client: a wrong clock here must not change a delay. */
const serviceTime = (headers: ResponseHeaders, now: number): number => {
  const date = Date.parse(headers["date"] ?? "")
  return Number.isNaN(date) ? now : date
}

/** The numbers of a header; platforms join several headers to a list. `undefined` where any part is not a number. */
const numbersOf = (value: string | undefined): ReadonlyArray<number> | undefined => {
  const parts = value?.trim().split(", ")
  return parts?.every((part) => decimal.test(part)) ? parts.map(Number) : undefined
}

/** The time until a number of seconds is over, in milliseconds; also where it is a point in time. */
const untilOf = (seconds: number, headers: ResponseHeaders, now: number): number => {
  if (seconds < earliestEpochSecond) return seconds * 1000
  const at = seconds < earliestEpochMillisecond ? seconds * 1000 : seconds
  return Math.min(largest, Math.max(0, at - serviceTime(headers, now)))
}

const retryAfter = (headers: ResponseHeaders, now: number): number | undefined => {
  const milliseconds = numbersOf(headers["retry-after-ms"])
  if (milliseconds !== undefined) return Math.min(largest, Math.max(...milliseconds))
  const value = headers["retry-after"]
  const seconds = numbersOf(value)
  if (seconds !== undefined) return untilOf(Math.max(...seconds), headers, now)
  // A date has letters; without them `Date.parse` takes "-3" and "1;5" for years.
  if (value === undefined || !/[a-z]/i.test(value)) return undefined
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - serviceTime(headers, now))
}

const numberAfter = (start: string, value: string | undefined): number | undefined => {
  const match = value === undefined ? null : new RegExp(`${start}(\\d+)`).exec(value)
  return match === null ? undefined : Number(match[1])
}

/** The limit of the header `RateLimit` with the fewest requests left, such as `"burst";r=0;t=1`. */
const structuredOf = (headers: ResponseHeaders): string | undefined => {
  const remaining = (limit: string) => numberAfter("; *r=", limit) ?? Infinity
  return headers["ratelimit"]?.split(",").sort((one, other) => remaining(one) - remaining(other))[0]
}

/** When the window of the rate limit ends, in milliseconds from now. */
export const rateLimitReset = (headers: ResponseHeaders, now: number): number | undefined => {
  const stated = numberAfter("; *t=", structuredOf(headers))
  const [reset = stated] = numbersOf(headers["ratelimit-reset"] ?? headers["x-ratelimit-reset"]) ?? []
  return reset === undefined ? undefined : untilOf(reset, headers, now)
}

/**
 * How long the service asks to wait, in milliseconds: `Retry-After-Ms`, `Retry-After` in seconds or as a point in time,
 * else the reset where it refers to a rate limit. Negative and malformed values are ignored.
 */
export const retryHint = (status: number, headers: ResponseHeaders, now: number): number | undefined =>
  retryAfter(headers, now) ?? (status === 429 ? rateLimitReset(headers, now) : undefined)

/** The rate limit as a response reports it. */
export interface ReportedLimit {
  readonly snapshot: RateLimitSnapshot
  /** The kind of operations, where the service counts kinds apart: it names the kind in the policy, or the policy. */
  readonly category: string
  /** Requests that the service allows in a millisecond, on average. */
  readonly rate: number | undefined
  readonly remaining: number | undefined
  /** The time until the next window, in milliseconds. */
  readonly resetMs: number | undefined
}

const nameOf = (item: string | undefined): string | undefined => /[\w-]+/.exec(item ?? "")?.[0]

/** The rate limit that a response reports; `undefined` when it reports no rate limit. */
export const reportedLimit = (headers: ResponseHeaders, now: number): ReportedLimit | undefined => {
  const structured = structuredOf(headers)
  const policies = headers["ratelimit-policy"]
  const stated = (name: string) => numberAfter("^ *", headers[`ratelimit-${name}`] ?? headers[`x-ratelimit-${name}`])
  const resetMs = rateLimitReset(headers, now)
  const remaining = stated("remaining") ?? numberAfter("; *r=", structured)
  const requests = stated("limit")
  const policy = policies?.split(",").find((each) => nameOf(each) === (nameOf(structured) ?? String(requests)))
  const limit = requests ?? numberAfter("; *q=", policy)
  if (limit === undefined && remaining === undefined && resetMs === undefined) return undefined
  const seconds = numberAfter("; *w=", policy)
  return {
    snapshot: defined({
      limit,
      remaining,
      resetAt: resetMs === undefined ? undefined : now + resetMs,
      policy: policies,
      observedAt: now
    }),
    category: /category="?([\w-]+)/.exec(policies ?? "")?.[1] ?? nameOf(structured) ?? "",
    rate: limit && seconds ? limit / seconds / 1000 : undefined,
    remaining,
    resetMs
  }
}
