import type { AnyOperationName } from "@signalbox/core/Operations"
import type { ConnectionFailure } from "../wire/Delivery.ts"
import type { Surface } from "../wire/FakeRequest.ts"

/** The points of a request, in order. */
export const points = ["received", "validated", "committed", "answering", "answered"] as const

/** A point of a request. */
export type Point = (typeof points)[number]

/** When a request reached a point. */
export interface ReachedPoint {
  readonly point: Point
  /** Time of the environment's clock, in milliseconds since 1970. */
  readonly at: number
}

/** The outcome of a request for its client, as far as it reached the wire. */
export type RequestOutcome =
  /** The request is still being processed. */
  | { readonly _tag: "Pending" }
  /** A complete response. */
  | { readonly _tag: "Response"; readonly status: number }
  /** A response with an incomplete body. */
  | { readonly _tag: "CutResponse"; readonly status: number; readonly failure: ConnectionFailure }
  /** No response. */
  | { readonly _tag: "NoResponse"; readonly failure: ConnectionFailure | "refuse" }
  /** The client disconnected before the response. */
  | { readonly _tag: "ClientDisconnected" }

export const outcomeTags = [
  "Pending",
  "Response",
  "CutResponse",
  "NoResponse",
  "ClientDisconnected"
] as const satisfies ReadonlyArray<RequestOutcome["_tag"]>

/** An id of another environment in a request: two tests share data. */
export interface Leak {
  readonly kind: "subscriber" | "message"
  readonly id: string
  /** Number of the environment that the id belongs to. */
  readonly environment: number
}

/** A request in the journal; times are of the environment's clock. */
export interface JournalEntry {
  /** 1 for the first request of the environment. */
  readonly number: number
  readonly surface: Surface
  readonly at: number
  readonly method: string
  readonly path: string
  readonly query: string
  /** `undefined` when no operation has this method and path. */
  readonly operation: AnyOperationName | undefined
  readonly subscriberId: string | undefined
  readonly idempotencyKey: string | undefined
  /** Headers and body, without secrets: keys, cookies, device tokens and webhook URLs are replaced. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
  /** Number of the call: requests with the same key, or retries of the same request, share it. */
  readonly call: number
  /** 1 for the first request of its call. */
  readonly attempt: number
  /** Number of the earlier, unsuccessful request with the same content, whatever its key. */
  readonly retryOf: number | undefined
  readonly points: ReadonlyArray<ReachedPoint>
  /** Whether the request changed something; a replay, an error, a read, and a mark that finds no message do not. */
  readonly applied: boolean
  /** Whether the request appends to a list, so that applying it twice does harm. */
  readonly appends: boolean
  /** Whether a stored response was replayed. */
  readonly replayed: boolean
  /** Descriptions of the faults that the request met. */
  readonly faults: ReadonlyArray<string>
  readonly outcome: RequestOutcome
  /** When the exchange ended for the client; `undefined` while it may still be waiting. */
  readonly endedAt: number | undefined
  /** Status and reason of the response, such as `200 OK`; `undefined` without a response. */
  readonly statusLine: string | undefined
  /** Headers of the response, if there was one. */
  readonly responseHeaders: Readonly<Record<string, string>>
  /** Body of the response, without secrets; complete also where a fault cut it on its way. */
  readonly responseBody: unknown
  /** Effect of a fault on the way of the response, such as `cut after 10 of 4213 bytes, then reset`. */
  readonly faultEffect: string | undefined
  /** The message in the body of an error response, if any. */
  readonly errorMessage: string | undefined
  readonly leaks: ReadonlyArray<Leak>
}

/** An entry in a list of many: without the body of its response. */
export type ListedEntry = Omit<JournalEntry, "responseBody">

/** The outcome of a request in a few words. */
export const outcomeText = ({ outcome, statusLine }: ListedEntry): string => {
  switch (outcome._tag) {
    case "Response":
      return statusLine ?? String(outcome.status)
    case "CutResponse":
      return `${outcome.status} cut`
    case "NoResponse":
      return outcome.failure
    case "ClientDisconnected":
      return "client left"
    case "Pending":
      return "pending"
  }
}
