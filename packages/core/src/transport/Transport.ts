/**
 * Sends the requests of calls to the service.
 *
 * Three layers provide it: `FetchTransport` over the platform's `fetch`, `HttpClientTransport` over Effect's own
 * `HttpClient`, and `UndiciTransport` over a dispatcher of undici.
 *
 * **When to use**: write a custom transport for a test with canned responses, or for a platform without `fetch`.
 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Method } from "../contract/Operations.ts"
import { TaggedError } from "../errors/TaggedError.ts"

/** One request, complete. */
export interface TransportRequest {
  readonly method: Method
  readonly url: string
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON; `undefined` when the request has no body. */
  readonly body: string | undefined
  /** Whether applying it twice does harm, so that the platform must not resend it; harmless when absent. */
  readonly isUnsafeToResend?: boolean
  /** The largest body to read of the response, in bytes; no limit when absent. */
  readonly maxResponseBytes?: number
}

/** Headers of a response, names in lower case. */
export type ResponseHeaders = Readonly<Record<string, string | undefined>>

/** The status and headers of a response. */
export interface ResponseHead {
  readonly status: number
  readonly headers: ResponseHeaders
}

/** One complete response, whatever its status. */
export interface TransportResponse extends ResponseHead {
  /** The body, decompressed. */
  readonly text: string
}

/** There is no complete response. */
export class TransportError
  extends /* @__PURE__ */ TaggedError("TransportError", ["cause", "partial"])<{
    /** One line without the platform's message. */
    readonly message: string
    /** The platform's error. Not for logs: it can contain secrets of the request. */
    readonly cause: unknown
    /** Status and headers of a response whose body broke off; `undefined` when there was no response at all. */
    readonly partial: ResponseHead | undefined
    /** Whether the body is larger than the request allows. */
    readonly isTooLarge?: boolean
    /** Whether the request may have reached the service, where the transport knows it; otherwise the cause decides. */
    readonly delivery?: "not-sent" | "unknown"
  }>
{
  constructor(facts: Pick<TransportError, "cause" | "partial" | "isTooLarge" | "delivery">) {
    super({ message: "no complete response", ...facts })
  }
}

/** How a request is sent. */
export interface TransportShape {
  /**
   * Sends a request once and reads the whole response. It does not follow redirects or retry, and interruption closes
   * the connection immediately. A transport that `reportsWrites` calls `onProgress` before it writes the first byte; all
   * call it with the head of the response, so that a body which never ends does not hide the status.
   */
  readonly send: (
    request: TransportRequest,
    onProgress?: (head?: ResponseHead) => void
  ) => Effect.Effect<TransportResponse, TransportError>
  /** Whether a request without `onProgress` was not written; when absent, every request counts as written. */
  readonly reportsWrites?: true
}

/**
 * Sends the requests of calls to the service.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import * as CallState from "@signalbox/core/CallState"
 * import * as Connection from "@signalbox/core/Connection"
 * import { Events } from "@signalbox/core/Events"
 * import { Transport } from "@signalbox/core/Transport"
 *
 * const text = JSON.stringify({ hasMore: false, data: [], pageSize: 10, page: 0 })
 * const canned = Layer.succeed(Transport, { send: () => Effect.succeed({ status: 200, headers: {}, text }) })
 * const events = Events.layer.pipe(
 *   Layer.provide(canned),
 *   Layer.provide(Connection.layer({ apiKey: "key", baseUrl: "https://api.example.com" })),
 *   Layer.provide(CallState.layer)
 * )
 * const page = await Effect.runPromise(Events.use(({ list }) => list()).pipe(Effect.provide(events)))
 * page.hasMore // => false
 * ```
 */
export class Transport extends Context.Service<Transport, TransportShape>()("signalbox/core/Transport") {}
