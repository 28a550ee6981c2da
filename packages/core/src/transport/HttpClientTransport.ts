/**
 * Sends requests with Effect's `HttpClient` over `fetch`, undici or a fake.
 *
 * **When to use**: programs that already have an `HttpClient`, with their own middleware. `FetchTransport` is smaller.
 *
 * **Gotchas**: Deno and browsers resend a request when a reused connection breaks, which can store device tokens twice.
 * On Deno, `FetchTransport.layer()` prevents it; an `HttpClient` over `fetch` does not.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Transport, TransportError, type TransportRequest, type TransportShape } from "./Transport.ts"

const always = () => true

const requestOf = ({ body, headers, method, url }: TransportRequest): HttpClientRequest.HttpClientRequest =>
  HttpClientRequest.make(method)(url, {
    headers,
    ...(body === undefined ? {} : { body: HttpBody.text(body, headers["content-type"]) })
  })

const beginningOf = ({ headers, status }: HttpClientResponse.HttpClientResponse) => ({
  status,
  headers: { ...headers }
})

const failureOf = ({ reason }: HttpClientError.HttpClientError): TransportError =>
  new TransportError({
    cause: reason.cause,
    partial: "response" in reason ? beginningOf(reason.response) : undefined
  })

const tooLarge = (response: HttpClientResponse.HttpClientResponse): TransportError =>
  new TransportError({ cause: undefined, partial: beginningOf(response), isTooLarge: true })

/** The text of a body, which is counted while it arrives. */
const countedText = (
  response: HttpClientResponse.HttpClientResponse,
  limit: number
): Effect.Effect<string, TransportError> =>
  Effect.suspend(() => {
    const decoder = new TextDecoder()
    let text = ""
    let bytes = 0
    return Stream.runForEach(response.stream, (part) => {
      bytes += part.length
      if (bytes > limit) return Effect.fail(tooLarge(response))
      text += decoder.decode(part, { stream: true })
      return Effect.void
    }).pipe(
      Effect.catchTag("HttpClientError", (error) =>
        error.reason._tag === "EmptyBodyError" ? Effect.void : Effect.fail(failureOf(error))
      ),
      Effect.map(() => text + decoder.decode())
    )
  })

/** The text of a body; a body of an unknown size is counted. */
const textOf = (
  response: HttpClientResponse.HttpClientResponse,
  { maxResponseBytes = Infinity }: TransportRequest
): Effect.Effect<string, TransportError> => {
  const length = Number(response.headers["content-length"])
  if (length > maxResponseBytes) return Effect.fail(tooLarge(response))
  const isOfKnownSize = length <= maxResponseBytes && response.headers["content-encoding"] === undefined
  return isOfKnownSize || maxResponseBytes === Infinity
    ? Effect.mapError(response.text, failureOf)
    : countedText(response, maxResponseBytes)
}

const make = Effect.gen(function* () {
  const client = HttpClient.withScope(yield* HttpClient.HttpClient)
  const atConstruction = yield* Effect.context<never>()

  const contextOf = (given: Context.Context<never>): Context.Context<never> => {
    const merged = Context.merge(atConstruction, given)
    const init = Context.getOrUndefined(merged, FetchHttpClient.RequestInit)
    return merged.pipe(
      // The call has its own span with the route; another span for each attempt would leak the full URL.
      Context.add(HttpClient.TracerDisabledWhen, always),
      Context.add(FetchHttpClient.RequestInit, { ...init, redirect: "manual" })
    )
  }

  const send: TransportShape["send"] = (request, onProgress) =>
    Effect.withFiber((fiber) => {
      const scope = Scope.makeUnsafe()
      return client.execute(requestOf(request)).pipe(
        Effect.mapError(failureOf),
        Effect.flatMap((response) => {
          const head = beginningOf(response)
          onProgress?.(head)
          return Effect.map(textOf(response, request), (text) => ({ ...head, text }))
        }),
        // Closing the scope aborts the request. After success there is nothing to abort, and doing so is not free.
        Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit))),
        Effect.provideContext(Context.add(contextOf(fiber.context), Scope.Scope, scope))
      )
    })

  return Transport.of({ send })
})

/**
 * Sends with the `HttpClient` that the program provides.
 *
 * @example
 * ```ts
 * import * as Layer from "effect/Layer"
 * import * as FetchHttpClient from "effect/http/FetchHttpClient"
 * import * as CallState from "@signalbox/core/CallState"
 * import * as Connection from "@signalbox/core/Connection"
 * import { Events } from "@signalbox/core/Events"
 * import * as HttpClientTransport from "@signalbox/core/HttpClientTransport"
 *
 * const events = Events.layer.pipe(
 *   Layer.provide(CallState.layer),
 *   Layer.provide(Connection.layer({ apiKey: "key", baseUrl: "https://api.example.com" })),
 *   Layer.provide(HttpClientTransport.layer.pipe(Layer.provide(FetchHttpClient.layer)))
 * )
 * ```
 */
export const layer: Layer.Layer<Transport, never, HttpClient.HttpClient> = Layer.effect(Transport, make)
