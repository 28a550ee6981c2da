/**
 * Sends requests with the platform's `fetch`, or another one of its shape.
 *
 * **When to use**: programs that have no `HttpClient` of Effect anyway. A program that lists events is smaller and
 * starts sooner with it, because it needs nothing of `effect/http`.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Transport, type TransportResponse, TransportError, type TransportShape } from "./Transport.ts"

/**
 * Makes a transport; without a `fetch` of its own it uses the one that the platform has at the time of each request.
 */
export const make = (fetch?: typeof globalThis.fetch): TransportShape => ({
  send: ({ body, headers, method, url }) =>
    Effect.suspend(() => {
      let partial: Pick<TransportResponse, "status" | "headers"> | undefined
      // What stands in for `fetch` can give anything, and what a test has in place of a `Response` is often less.
      const read = (response: Response): Promise<TransportResponse> => {
        const status = response?.status
        if (!Number.isInteger(status)) return Promise.reject(new Error("fetch gave no Response"))
        const headers = Object.fromEntries(new Headers(response.headers))
        partial = { status, headers }
        return Promise.resolve(response.text()).then((text) => ({ status, headers, text: String(text ?? "") }))
      }
      return Effect.tryPromise({
        try: (signal) =>
          Promise.resolve(
            (fetch ?? globalThis.fetch)(url, {
              method,
              headers,
              redirect: "manual",
              signal,
              ...(body === undefined ? undefined : { body })
            })
          ).then(read),
        catch: (cause) => new TransportError({ cause, partial })
      })
    })
})

/**
 * Sends with the platform's `fetch`, or with the one that is given.
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
