/**
 * What carries the requests of calls to the service.
 *
 * Two layers provide it: `FetchTransport` over the platform's `fetch`, and `HttpClientTransport` over Effect's own
 * `HttpClient`.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"

/** One request, complete. */
export interface TransportRequest {
  readonly method: "GET" | "POST" | "PATCH"
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON; `undefined` when the request has no body. */
  readonly body: string | undefined
}

/** Headers of an answer, names in lower case. */
export type AnswerHeaders = Readonly<Record<string, string | undefined>>

/** One answer, complete, whatever its status. */
export interface TransportAnswer {
  readonly status: number
  readonly headers: AnswerHeaders
  /** The body, decompressed. */
  readonly text: string
}

/** There is no complete answer. */
export class TransportError extends Data.TaggedError("TransportError")<{
  /** What the platform said. Not for logs: it can hold secrets of the request. */
  readonly cause: unknown
  /** The beginning of an answer whose body broke off; `undefined` when there was no answer at all. */
  readonly begun: Pick<TransportAnswer, "status" | "headers"> | undefined
}> {}

/** How a request is sent. */
export interface TransportShape {
  /**
   * Sends a request once and reads the whole answer. Redirects are not followed, nothing is repeated, and interruption
   * closes the connection at once.
   */
  readonly send: (request: TransportRequest) => Effect.Effect<TransportAnswer, TransportError>
}

/** What carries the requests of calls to the service. */
export class Transport extends Context.Service<Transport, TransportShape>()("signalbox/core/Transport") {}
