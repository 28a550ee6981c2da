/**
 * Sends requests with the platform's `fetch`, or another one of its shape.
 *
 * **When to use**: programs without Effect's `HttpClient`. A program that lists events is smaller and
 * starts sooner with it, because it does not need `effect/http`.
 *
 * **Gotchas**: Deno and browsers resend a request when a reused connection breaks, which can store device tokens twice.
 * On Deno, this transport prevents it, except with a `fetch` that is passed in.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import {
  type ResponseHead,
  type ResponseHeaders,
  Transport,
  type TransportResponse,
  TransportError,
  type TransportShape
} from "./Transport.ts"

/** Why reading stopped: the body is larger than the request allows. */
const tooLarge = /* @__PURE__ */ new Error("the body is too large")

/** The text of a body that can be too large: it is counted while it arrives. */
const countedTextOf = async (response: Response, length: number, limit: number): Promise<string> => {
  if (length > limit) {
    await response.body?.cancel()
    throw tooLarge
  }
  // A replacement for `Response` can have no stream, or a stream that was already read.
  if (typeof response.body?.getReader !== "function" || response.bodyUsed) return response.text()
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let text = ""
  let bytes = 0
  while (true) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > limit) {
      await reader.cancel()
      throw tooLarge
    }
    text += decoder.decode(value, { stream: true })
  }
}

const textOf = (response: Response, headers: ResponseHeaders, limit: number): Promise<string> => {
  const length = Number(headers["content-length"])
  return limit === Infinity || (length <= limit && headers["content-encoding"] === undefined)
    ? response.text()
    : countedTextOf(response, length, limit)
}

/**
 * A body that the platform sends once: Deno resends a request whose reused connection breaks, unless the body is a
 * stream. Browsers do the same, but accept no stream over HTTP/1.1.
 */
const sentOnce = (body: string): string | ReadableStream => ("Deno" in globalThis ? new Blob([body]).stream() : body)

/**
 * Makes a transport; without a `fetch` argument it uses the platform's `fetch` at the time of each request.
 */
export const make = (fetch?: typeof globalThis.fetch): TransportShape => ({
  send: ({ body, headers, isUnsafeToResend, maxResponseBytes = Infinity, method, url }, onProgress) =>
    Effect.suspend(() => {
      let partial: ResponseHead | undefined
      // A replacement of `fetch` can resolve to anything; a test's fake `Response` is often incomplete.
      const read = (response: Response): Promise<TransportResponse> => {
        const status = response?.status
        // A redirect in a browser has the status 0, and so has `Response.error()`.
        if (!Number.isInteger(status) || response.type === "error")
          return Promise.reject(new Error("fetch gave no Response"))
        const { headers: received } = response
        const headers = Object.fromEntries(received instanceof Headers ? received : new Headers(received))
        partial = { status, headers }
        onProgress?.(partial)
        return Promise.resolve(textOf(response, headers, maxResponseBytes)).then((text) => ({
          status,
          headers,
          text: String(text ?? "")
        }))
      }
      return Effect.tryPromise({
        try: (signal) =>
          Promise.resolve(
            (fetch ?? globalThis.fetch)(url, {
              method,
              headers,
              redirect: "manual",
              signal,
              ...(body === undefined
                ? undefined
                : { body: isUnsafeToResend && fetch === undefined ? sentOnce(body) : body })
            })
          ).then(read),
        catch: (cause) => new TransportError({ cause, partial, isTooLarge: cause === tooLarge })
      })
    })
})

/**
 * Sends with the platform's `fetch`, or with the given one.
 *
 * @example
 * ```ts
 * import * as Layer from "effect/Layer"
 * import * as CallState from "@signalbox/core/CallState"
 * import * as Connection from "@signalbox/core/Connection"
 * import { Events } from "@signalbox/core/Events"
 * import * as FetchTransport from "@signalbox/core/FetchTransport"
 *
 * const events = Events.layer.pipe(
 *   Layer.provide(CallState.layer),
 *   Layer.provide(Connection.layer({ apiKey: "key", baseUrl: "https://api.example.com" })),
 *   Layer.provide(FetchTransport.layer())
 * )
 * ```
 */
export const layer = (fetch?: typeof globalThis.fetch): Layer.Layer<Transport> => Layer.succeed(Transport, make(fetch))
