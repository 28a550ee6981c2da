/**
 * What the journal knows of one request.
 */
import type { OperationName } from "@signalbox/core/Operation"
import type { ConnectionFailure } from "../request/Delivery.ts"
import type { Surface } from "../request/FakeRequest.ts"

/** The points that a request passes, in order. */
export const points = ["received", "validated", "committed", "answering", "answered"] as const

/** A point that a request passes. */
export type Point = (typeof points)[number]

/** When a request passed a point. */
export interface ReachedPoint {
  readonly point: Point
  /** Time of the environment's clock, in milliseconds since 1970. */
  readonly at: number
}

/** What the client was outcome, as far as it reached the wire. */
export type RequestOutcome =
  /** The request is still on its way. */
  | { readonly _tag: "Pending" }
  /** A whole answer. */
  | { readonly _tag: "Response"; readonly status: number }
  /** A status, but not the whole body. */
  | { readonly _tag: "CutResponse"; readonly status: number; readonly failure: ConnectionFailure }
  /** Not one byte of an answer. */
  | { readonly _tag: "NoResponse"; readonly failure: ConnectionFailure | "refuse" }
  /** The client left before there was an answer. */
  | { readonly _tag: "ClientDisconnected" }

/** An id of another environment that a request named: two tests share data. */
export interface Leak {
  readonly kind: "subscriber" | "message"
  readonly id: string
  /** Number of the environment that the id belongs to, in order of making. */
  readonly environment: number
}

/** What the journal knows of one request; times are of the environment's clock. */
export interface JournalEntry {
  /** 1 for the first request of the environment. */
  readonly number: number
  readonly surface: Surface
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  /** `undefined` when no operation has this method and path. */
  readonly operation: OperationName | undefined
  readonly subscriberId: string | undefined
  readonly idempotencyKey: string | undefined
  /** Headers without the key; device tokens and webhook URLs are replaced in the body. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Number of the logical operation: requests with the same key, or repeats of the same request, share it. */
  readonly call: number
  /** 1 for the first request of its logical operation. */
  readonly attempt: number
  /** Number of the last request that had asked for the same without success, whatever its key. */
  readonly retryOf: number | undefined
  readonly points: ReadonlyArray<ReachedPoint>
  /** Whether this request changed something: a replay, a refusal and a listing do not. */
  readonly applied: boolean
  /** Whether the request appends to a list, so that applying it twice does harm. */
  readonly appends: boolean
  /** Whether a kept answer was given again. */
  readonly replayed: boolean
  /** Faults that this request met, in words. */
  readonly faults: ReadonlyArray<string>
  readonly outcome: RequestOutcome
  /** When the exchange was over for the client; `undefined` while it may still wait for something. */
  readonly endedAt: number | undefined
  /** Headers of the answer, when there was one. */
  readonly responseHeaders: Readonly<Record<string, string>>
  /** Why a whole answer refused the request, in the words of its body; `undefined` where it did not or says nothing. */
  readonly errorMessage: string | undefined
  readonly leaks: ReadonlyArray<Leak>
}
