/**
 * Rate limits: by plan, one token bucket for writes and one for event lists; or buckets of a test's own sizes.
 */
import { isRead } from "@signalbox/core/Operations"
import type { AnyOperationName } from "@signalbox/core/Operations"
import type { Bucket, Buckets, Category, RateLimit, RequestLimit } from "../state/Buckets.ts"
import type { Switches } from "../switches/Switches.ts"
import { httpDate } from "../wire/HttpDate.ts"

type Plan = Exclude<Switches["rateLimit.plan"], "off">

const perSecond: Readonly<Record<Plan, Readonly<Record<Category, number>>>> = {
  free: { configuration: 20, global: 30 },
  pro: { configuration: 80, global: 120 },
  business: { configuration: 200, global: 300 },
  unlimited: { configuration: 2_000, global: 3_000 }
}

const planWindowSeconds = 5
const burst = 1.1

/** Whether a request is allowed, the buckets after it, and the rate-limit headers of its response. */
export interface Allowance {
  readonly isAllowed: boolean
  readonly buckets: Buckets
  readonly headers: Readonly<Record<string, string>>
}

const categoryOf = (operation: AnyOperationName): Category => (isRead(operation) ? "global" : "configuration")

/** How a bucket fills again, and how long a client waits for it. */
interface Refill {
  readonly refilled: (bucket: Bucket, rate: number, capacity: number, now: number) => Bucket
  /** Seconds, not rounded; negative if it is over. */
  readonly wait: (bucket: Bucket, rate: number, capacity: number, now: number) => number
}

const refills: Readonly<Record<Switches["rateLimit.refill"], Refill>> = {
  continuous: {
    refilled: (bucket, rate, capacity, now) =>
      bucket.tokens >= 1
        ? bucket
        : {
            tokens: Math.min(capacity, bucket.tokens + (Math.max(0, now - bucket.refilledAt) * rate) / 1_000),
            refilledAt: now
          },
    wait: ({ tokens }, rate, capacity) => (tokens < 1 ? 1 - tokens : capacity - tokens) / rate
  },
  "whole-tokens": {
    refilled: (bucket, rate, capacity, now) => {
      const interval = 1_000 / rate
      const count = Math.floor((now - bucket.refilledAt) / interval)
      if (bucket.tokens >= 1 || count < 1) return bucket
      return {
        tokens: Math.min(capacity, bucket.tokens + count),
        refilledAt: bucket.refilledAt + count * interval
      }
    },
    wait: ({ refilledAt }, rate, _capacity, now) => 1 / rate + (refilledAt - now) / 1_000
  }
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

/** The size of a bucket, and what its headers call it. */
interface Limit {
  readonly bucket: keyof Buckets
  readonly serviceLevel: string
  /** Requests in a window, as `RateLimit-Limit` reports them. */
  readonly requests: number
  readonly windowSeconds: number
  readonly capacity: number
}

const planLimit = (plan: Plan, bucket: Category): Limit => {
  const requests = perSecond[plan][bucket] * planWindowSeconds
  return {
    bucket,
    serviceLevel: plan,
    requests,
    windowSeconds: planWindowSeconds,
    capacity: Math.floor(requests * burst)
  }
}

const customLimit = (bucket: Limit["bucket"], { requests, windowMs = 1_000 }: RequestLimit): Limit => ({
  bucket,
  serviceLevel: "custom",
  requests,
  windowSeconds: windowMs / 1_000,
  capacity: requests
})

export interface RateLimitRules {
  readonly switches: Switches
  readonly custom: RateLimit | undefined
}

const limitFor = ({ custom, switches }: RateLimitRules, operation: AnyOperationName): Limit | undefined => {
  const category = categoryOf(operation)
  const ofCategory = custom?.[category]
  if (ofCategory !== undefined) return customLimit(category, ofCategory)
  if (custom?.requests !== undefined) return customLimit("custom", { ...custom, requests: custom.requests })
  const plan = switches["rateLimit.plan"]
  return plan === "off" ? undefined : planLimit(plan, category)
}

export const takeToken = (
  rules: RateLimitRules,
  buckets: Buckets,
  operation: AnyOperationName,
  now: number
): Allowance => {
  const limit = limitFor(rules, operation)
  if (limit === undefined) return { isAllowed: true, buckets, headers: {} }
  const { switches } = rules
  const { bucket, capacity, requests, serviceLevel, windowSeconds } = limit
  const rate = requests / windowSeconds
  const { refilled, wait } = refills[switches["rateLimit.refill"]]
  const before = refilled(buckets[bucket] ?? { tokens: capacity, refilledAt: now }, rate, capacity, now)
  const isAllowed = before.tokens >= 1
  const after = isAllowed ? { ...before, tokens: before.tokens - 1 } : before
  const resetSeconds = Math.max(0, Math.ceil(wait(after, rate, capacity, now)))
  const policy = `${requests};w=${windowSeconds};burst=${capacity};comment="token bucket";category="${bucket}";cost="single";serviceLevel="${serviceLevel}"`
  return {
    isAllowed,
    buckets: { ...buckets, [bucket]: after },
    headers: {
      ...(switches["rateLimit.headers"] === "present"
        ? {
            "ratelimit-limit": String(requests),
            "ratelimit-remaining": String(Math.floor(after.tokens)),
            "ratelimit-reset": String(resetSeconds),
            "ratelimit-policy": policy
          }
        : {}),
      ...(isAllowed ? {} : retryAfter(switches, resetSeconds, now))
    }
  }
}
