import type { Unreadable } from "@signalbox/core/Drift"
import type { Attempt } from "@signalbox/core/Errors"

/** Facts of a finished call that the screens show. */
export interface CallFacts {
  readonly status: number
  readonly durationMs: number
  readonly attempts: number
  readonly idempotencyKey?: string
  readonly requestId?: string
  /** Parts of the response that the reader removed because they could not be read. */
  readonly unreadable: ReadonlyArray<Unreadable>
}

/** A request, as the request log shows it. */
export interface Request {
  readonly method: string
  /** Path and query, below the base URL. */
  readonly target: string
  /** The request as a cURL command; the API key and secrets are variables in it. */
  readonly curl: string
}

/** One HTTP request that was made, for the request log. */
export interface RequestRecord extends Request, Attempt {}

/** How many are kept. */
export const maxRequests = 500

/** The log with one more request, the latest last. */
export const withRequest = (
  requests: ReadonlyArray<RequestRecord>,
  request: RequestRecord
): ReadonlyArray<RequestRecord> => [...requests, request].slice(-maxRequests)
