/**
 * Rate limits as an environment stores them: a test's own limit, and the tokens that are left.
 */
import * as Schema from "effect/Schema"
import { inputReader, integer } from "../input/Input.ts"

/** How many requests are allowed. */
export interface RequestLimit {
  /** Requests that are allowed at once; as many more become available in each window. */
  readonly requests: number
  /** Length of the window in milliseconds of the environment's clock. Default 1,000. */
  readonly windowMs?: number
}

/**
 * A rate limit that overrides the plan of the switches: for all operations together, for a category by itself, or both. A
 * category without a limit keeps its plan.
 */
export interface RateLimit extends Partial<RequestLimit> {
  /** For writes. */
  readonly configuration?: RequestLimit
  /** For event lists. */
  readonly global?: RequestLimit
}

const limit = { requests: integer(1), windowMs: Schema.optionalKey(integer(1)) }

/** The schema of a rate limit. @internal */
export const RateLimitSchema = Schema.Struct({
  requests: Schema.optionalKey(limit.requests),
  windowMs: limit.windowMs,
  configuration: Schema.optionalKey(Schema.Struct(limit)),
  global: Schema.optionalKey(Schema.Struct(limit))
}).check(
  Schema.makeFilter(
    ({ configuration, global, requests, windowMs }) =>
      requests !== undefined || (windowMs === undefined && (configuration ?? global) !== undefined),
    { expected: "an object with requests, or with configuration or global" }
  )
)

export const readRateLimit = inputReader<RateLimit>("rateLimit", () => RateLimitSchema)

export interface Bucket {
  readonly tokens: number
  /** When tokens were added last, in milliseconds since 1970. */
  readonly refilledAt: number
}

/** Kinds of operations that have separate limits. */
export type Category = "configuration" | "global"

/** The buckets of an environment; an absent bucket was never used and is full. */
export type Buckets = { readonly [Name in Category | "custom"]?: Bucket }
