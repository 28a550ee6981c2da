import type { Unreadable } from "@signalbox/core/Drift"

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

/** One HTTP request that was made, for the request log. */
export interface RequestRecord {
  /** When it started, in milliseconds since 1970. */
  readonly at: number
  readonly method: string
  /** Path and query, below the base URL. */
  readonly target: string
  /** Counted from 1; each retry is a separate request. */
  readonly attempt: number
  /** Absent when there was no response. */
  readonly status?: number
  readonly durationMs: number
  /** How long the client waited before it, in milliseconds. */
  readonly delayMs: number
  /** `success`, or the tag of the reason it failed for. */
  readonly outcome: string
  readonly requestId?: string
  /** The request as a cURL command; the API key and secrets are variables in it. */
  readonly curl: string
}

/** How many are kept. */
const maxRequests = 500

/** The log with one more request, the latest last. */
export const withRequest = (
  requests: ReadonlyArray<RequestRecord>,
  request: RequestRecord
): ReadonlyArray<RequestRecord> => [...requests, request].slice(-maxRequests)
