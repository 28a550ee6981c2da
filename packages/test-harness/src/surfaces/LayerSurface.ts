/**
 * The fake as Effect's HTTP client: on the caller's fiber, by the caller's clock.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Scheduler from "effect/Scheduler"
import * as Stream from "effect/Stream"
import { type FakeClock, fromEffect } from "../clock/FakeClock.ts"
import type { Delivery } from "../request/Delivery.ts"
import type { FakeRequest } from "../request/FakeRequest.ts"
import { fetchFailed } from "./ConnectionError.ts"
import { type Admit, type Admitted, follow } from "./Follow.ts"
import { LayerResponse } from "./LayerResponse.ts"
import { receiveBody } from "./ReceivedBody.ts"

type Response = Effect.Effect<LayerResponse, HttpClientError.HttpClientError>

const clocks = new WeakMap<Clock.Clock, FakeClock>()

/** The clock of who sends, the same one every time, with the scheduler that goes with it. */
const clockOf = (fiber: Fiber.Fiber<unknown, unknown>): FakeClock => {
  const clock = fiber.getRef(Clock.Clock)
  const known = clocks.get(clock)
  if (known !== undefined) return known
  const made = fromEffect(clock, Context.make(Scheduler.Scheduler, fiber.getRef(Scheduler.Scheduler)))
  clocks.set(clock, made)
  return made
}

const decoder = new TextDecoder()

/** Text of a body that only the platform can read. */
const platformText = (request: HttpClientRequest.HttpClientRequest, body: unknown) =>
  Effect.tryPromise({
    // Raw bodies are whatever the platform's `fetch` takes; it says so itself where one is not.
    try: () => new globalThis.Response(body as BodyInit).text(),
    catch: (cause) => notEncoded(request, cause)
  })

const notEncoded = (request: HttpClientRequest.HttpClientRequest, cause: unknown) =>
  new HttpClientError.HttpClientError({ reason: new HttpClientError.EncodeError({ request, cause }) })

const textOf = (
  request: HttpClientRequest.HttpClientRequest
): Effect.Effect<string, HttpClientError.HttpClientError> => {
  const { body } = request
  switch (body._tag) {
    case "Empty":
      return Effect.succeed("")
    case "Uint8Array":
      return Effect.succeed(body.text ?? decoder.decode(body.body))
    case "Raw":
      return platformText(request, body.body)
    case "FormData":
      return platformText(request, body.formData)
    case "Stream":
      return Stream.mkString(Stream.decodeText(body.stream)).pipe(
        Effect.mapError((cause) => notEncoded(request, cause))
      )
  }
}

const fakeRequest = (
  { headers, method }: HttpClientRequest.HttpClientRequest,
  url: URL,
  body: string
): FakeRequest => ({
  surface: "layer",
  method,
  path: url.pathname,
  query: url.search.slice(1),
  header: (name) => headers[name],
  headers: () => Object.entries(headers),
  body
})

const responseOf = (
  delivery: Delivery,
  admitted: Admitted,
  request: HttpClientRequest.HttpClientRequest,
  url: URL,
  signal: AbortSignal
): Response => {
  if (delivery._tag === "Nothing") {
    if (delivery.ending === "hang") return Effect.never
    const reason = new HttpClientError.TransportError({ request, cause: fetchFailed(delivery.ending) })
    return Effect.fail(new HttpClientError.HttpClientError({ reason }))
  }
  const { answer } = delivery
  if (delivery._tag === "Whole" || answer.body === undefined || request.method === "HEAD") {
    admitted.exchange.answered()
    const body = request.method === "HEAD" ? undefined : answer.body
    return Effect.succeed(new LayerResponse(request, url, { answer, body }))
  }
  return Effect.succeed(new LayerResponse(request, url, { answer, body: receiveBody(delivery, admitted, signal) }))
}

const answered = (admitted: Admitted, respond: (delivery: Delivery) => Response): Response => {
  let answer: Response | undefined
  let arrived = (delivery: Delivery): void => {
    answer = respond(delivery)
  }
  follow(admitted.exchange.first, admitted.clock, (delivery) => arrived(delivery))
  if (answer !== undefined) return answer
  return Effect.callback<LayerResponse, HttpClientError.HttpClientError>((resume) => {
    arrived = (delivery) => resume(respond(delivery))
    return Effect.sync(() => {
      arrived = () => {}
    })
  })
}

/** Makes an HTTP client whose requests are let in by the given function, with the clock of who sends them. */
export const makeHttpClient = (admit: Admit): HttpClient.HttpClient =>
  HttpClient.make((request, url, signal, fiber) =>
    Effect.flatMap(textOf(request), (body) => {
      const admitted = admit(fakeRequest(request, url, body), clockOf(fiber))
      return Effect.onInterrupt(
        answered(admitted, (delivery) => responseOf(delivery, admitted, request, url, signal)),
        () => Effect.sync(admitted.exchange.abandoned)
      )
    })
  )
