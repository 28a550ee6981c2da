/**
 * The facts of a call besides its value, as plain types.
 *
 * **When to use**: to type what a program logs or stores about calls. `CallInfo` has the functions.
 *
 * @since 0.1.0
 */
import type { AnyOperationName } from "../contract/Operations.ts"
import type { ExchangeFacts } from "../errors/Attempt.ts"
import type { DriftEntry, Unreadable } from "../reading/DriftEntry.ts"

/** The rate limit as last reported by the service. Parts that it did not report are absent. */
export interface RateLimitSnapshot {
  /** Requests allowed in one window. */
  readonly limit?: number
  /** Requests left in the window. */
  readonly remaining?: number
  /** When the window ends, in milliseconds since 1970. */
  readonly resetAt?: number
  /** The policy, verbatim. */
  readonly policy?: string
  /** When the service reported this, in milliseconds since 1970. */
  readonly observedAt: number
}

/** The facts of a successful call besides its value. */
export interface CallInfo extends ExchangeFacts {
  /** The operation. */
  readonly operation: AnyOperationName
  /** Status of the response. */
  readonly status: number
  /** Headers of the response, names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /**
   * Whether this is the stored response to an earlier request with the same key, according to the service. That may have
   * been a request of another environment of the organization; then this one has changed nothing.
   */
  readonly replayed: boolean
  /** The rate limit as reported by the response; absent if it reports none. */
  readonly rateLimit?: RateLimitSnapshot
  /** How the response differs from the API document. */
  readonly drift: ReadonlyArray<DriftEntry>
  /** How much drift there is; `drift` has the first 100 entries. */
  readonly driftCount: number
  /** The parts of the response that could not be read and are missing from the value. */
  readonly unreadable: ReadonlyArray<Unreadable>
  /** How long the call took, its delays included, in milliseconds. */
  readonly durationMs: number
}
