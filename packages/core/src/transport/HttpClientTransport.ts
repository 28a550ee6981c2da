/**
 * Sends requests with Effect's `HttpClient`, whatever carries it: `fetch`, undici, or a fake.
 *
 * **When to use**: programs that have an `HttpClient` anyway, with their own middleware. `FetchTransport` is smaller.
 *
 * @since 0.1.0
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Transport, type TransportResponse, TransportError, type TransportRequest } from "./Transport.ts"

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

/** Whether a response announces a body that is larger than the request allows. */
const isTooLarge = (
  { headers }: HttpClientResponse.HttpClientResponse,
  { maxResponseBytes = Infinity }: TransportRequest
): boolean => Number(headers["content-length"]) > maxResponseBytes

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

  const send = (request: TransportRequest): Effect.Effect<TransportResponse, TransportError> =>
    Effect.withFiber((fiber) => {
      const scope = Scope.makeUnsafe()
      return client.execute(requestOf(request)).pipe(
        Effect.mapError(failureOf),
        Effect.flatMap((response) =>
          isTooLarge(response, request)
            ? Effect.fail(new TransportError({ cause: undefined, partial: beginningOf(response), isTooLarge: true }))
            : Effect.mapBoth(response.text, {
                onFailure: failureOf,
                onSuccess: (text) => ({ ...beginningOf(response), text })
              })
        ),
        // Closing the scope aborts the request. After success there is nothing to abort, and doing so is not free.
        Effect.onExit((exit) => (Exit.isSuccess(exit) ? Effect.void : Scope.close(scope, exit))),
        Effect.provideContext(Context.add(contextOf(fiber.context), Scope.Scope, scope))
      )
    })

  return Transport.of({ send })
})

/**
 * Sends with the `HttpClient` that is given.
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
