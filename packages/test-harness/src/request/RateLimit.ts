/**
 * Rate limits: one token bucket for writes and one for event lists, sized by the plan.
 */
import { isRead } from "@signalbox/core/Operations"
import type { OperationName } from "@signalbox/core/Operation"
import type { Switches } from "../switches/Switches.ts"
import { httpDate } from "./HttpDate.ts"

/** The tokens left in a bucket. */
export interface Bucket {
  readonly tokens: number
  /** When tokens were added last, in milliseconds since 1970. */
  readonly refilledAt: number
}

/** Kinds of operations that have separate limits. */
export type Category = "configuration" | "global"

/** The buckets of an environment; an absent bucket was never used and is full. */
export type Buckets = { readonly [Name in Category]?: Bucket }

type Plan = Exclude<Switches["rateLimit.plan"], "off">

const perSecond: Readonly<Record<Plan, Readonly<Record<Category, number>>>> = {
  free: { configuration: 20, global: 30 },
  pro: { configuration: 80, global: 120 },
  business: { configuration: 200, global: 300 },
  unlimited: { configuration: 2_000, global: 3_000 }
}

const windowSeconds = 5
const burst = 1.1

/** Whether a request is allowed, the buckets after it, and the rate-limit headers of its response. */
export interface Allowance {
  readonly isAllowed: boolean
  readonly buckets: Buckets
  readonly headers: Readonly<Record<string, string>>
}

const categoryOf = (operation: OperationName): Category => (isRead(operation) ? "global" : "configuration")

// Refilled only when it is empty, as observed in a real implementation.
const refilled = (bucket: Bucket, rate: number, capacity: number, now: number): Bucket =>
  bucket.tokens >= 1
    ? bucket
    : {
        tokens: Math.min(capacity, bucket.tokens + (Math.max(0, now - bucket.refilledAt) * rate) / 1_000),
        refilledAt: now
      }

const retryAfter = (switches: Switches, seconds: number, now: number): Readonly<Record<string, string>> => {
  switch (switches["rateLimit.retryAfter"]) {
    case "absent":
      return {}
    case "seconds":
      return { "retry-after": String(seconds) }
    case "http-date":
      return { "retry-after": httpDate(now + seconds * 1_000) }
  }
}

/** Takes one token for an operation. */
export const takeToken = (switches: Switches, buckets: Buckets, operation: OperationName, now: number): Allowance => {
  const plan = switches["rateLimit.plan"]
  if (plan === "off") return { isAllowed: true, buckets, headers: {} }
  const category = categoryOf(operation)
  const rate = perSecond[plan][category]
  const capacity = Math.floor(rate * windowSeconds * burst)
  const before = refilled(buckets[category] ?? { tokens: capacity, refilledAt: now }, rate, capacity, now)
  const isAllowed = before.tokens >= 1
  const after = isAllowed ? { ...before, tokens: before.tokens - 1 } : before
  const isEmpty = after.tokens < 1
  const resetSeconds = Math.ceil((isEmpty ? 1 - after.tokens : capacity - after.tokens) / rate)
  const policy = `${rate * windowSeconds};w=${windowSeconds};burst=${capacity};comment="token bucket";category="${category}";cost="single";serviceLevel="${plan}"`
  return {
    isAllowed,
    buckets: { ...buckets, [category]: after },
    headers: {
      ...(switches["rateLimit.headers"] === "present"
        ? {
            "ratelimit-limit": String(rate * windowSeconds),
            "ratelimit-remaining": String(Math.floor(after.tokens)),
            "ratelimit-reset": String(resetSeconds),
            "ratelimit-policy": policy
          }
        : {}),
      ...(isAllowed ? {} : retryAfter(switches, resetSeconds, now))
    }
  }
}
