/**
 * Rate limits as an environment stores them: a test's own limit, and the tokens that are left.
 */
import * as Schema from "effect/Schema"
import { inputReader, integer } from "../input/Input.ts"

/** A rate limit for all operations together, overriding the plan of the switches. */
export interface RateLimit {
  /** Requests that are allowed at once; as many more become available in each window. */
  readonly requests: number
  /** Length of the window in milliseconds of the environment's clock. Default 1,000. */
  readonly windowMs?: number
}

/** The schema of a rate limit. @internal */
export const RateLimitSchema = Schema.Struct({
  requests: integer(1),
  windowMs: Schema.optionalKey(integer(1))
})

/** Checks a rate limit. */
export const readRateLimit = inputReader<RateLimit>("rateLimit", RateLimitSchema)

/** The tokens left in a bucket. */
export interface Bucket {
  readonly tokens: number
  /** When tokens were added last, in milliseconds since 1970. */
  readonly refilledAt: number
}

/** Kinds of operations that have separate limits. */
export type Category = "configuration" | "global"

/** The buckets of an environment; an absent bucket was never used and is full. */
export type Buckets = { readonly [Name in Category | "custom"]?: Bucket }
