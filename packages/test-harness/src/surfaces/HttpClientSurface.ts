/**
 * The fake as Effect's HTTP client: on the caller's fiber, by the caller's clock.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import type { HttpClientResponse } from "effect/http/HttpClientResponse"
import * as Scheduler from "effect/Scheduler"
import * as Stream from "effect/Stream"
import { type FakeClock, realClock } from "../clock/FakeClock.ts"
import type { Delivery } from "../wire/Delivery.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import type { Begun } from "./BodyDelivery.ts"
import { fetchFailed } from "./ConnectionError.ts"
import { type Admit, type Admitted, follow } from "./Follow.ts"
import { fakeResponse, type Received } from "./HttpClientResponse.ts"
import { receiveBody } from "./ReceivedBody.ts"

type Response = Effect.Effect<HttpClientResponse, HttpClientError.HttpClientError>

/**
 * A clock of Effect as the clock of an environment. Callbacks run in the given context: a `TestClock` waits only for
 * fibers on the scheduler that came with it.
 */
const fromEffect = (clock: Clock.Clock, context: Context.Context<never> = Context.empty()): FakeClock => ({
  isStopped: true,
  now: () => clock.currentTimeMillisUnsafe(),
  schedule: (delayMs, callback) => {
    const interrupt = Effect.runCallbackWith(context)(clock.sleep(Duration.millis(delayMs)), {
      onExit: ({ _tag }) => {
        if (_tag === "Success") callback()
      }
    })
    return () => interrupt()
  }
})

// The time of the machine, unless the caller has another clock.
const clocks = new WeakMap<Clock.Clock, FakeClock>([[Context.get(Context.empty(), Clock.Clock), realClock]])

/** The clock of the caller, the same one every time, with its scheduler. */
const clockOf = (fiber: Fiber.Fiber<unknown, unknown>): FakeClock => {
  const clock = fiber.getRef(Clock.Clock)
  const known = clocks.get(clock)
  if (known !== undefined) return known
  const made = fromEffect(clock, Context.make(Scheduler.Scheduler, fiber.getRef(Scheduler.Scheduler)))
  clocks.set(clock, made)
  return made
}

const decoder = new TextDecoder()

const platformText = (request: HttpClientRequest.HttpClientRequest, body: unknown) =>
  Effect.tryPromise({
    // Raw bodies are whatever the platform's `fetch` accepts; it throws for any other.
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

interface Sent {
  readonly request: HttpClientRequest.HttpClientRequest
  readonly url: URL
  readonly signal: AbortSignal
}

const noResponse = (request: HttpClientRequest.HttpClientRequest, cause: TypeError): Response =>
  Effect.fail(new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) }))

const bodyOf = (delivery: Begun, admitted: Admitted, { request, signal }: Sent): Received["body"] => {
  const { body } = delivery.response
  const isEmpty = body === undefined || request.method === "HEAD"
  if (!isEmpty && delivery._tag !== "Whole") return receiveBody(delivery, admitted, signal)
  admitted.exchange.answered()
  return isEmpty ? undefined : body
}

const responseOf = (delivery: Delivery, admitted: Admitted, sent: Sent): Response => {
  if (delivery._tag !== "NoResponse") {
    const { response } = delivery
    return Effect.succeed(fakeResponse(sent.request, sent.url, { response, body: bodyOf(delivery, admitted, sent) }))
  }
  return delivery.failure === "hang" ? Effect.never : noResponse(sent.request, fetchFailed(delivery.failure))
}

/** Waits for the delivery if it is not available at once. */
const delivered = (admitted: Admitted, respond: (delivery: Delivery) => Response): Response => {
  let response: Response | undefined
  let arrived = () => {}
  const leave = follow(admitted, (delivery) => {
    response = respond(delivery)
    arrived()
  })
  const awaited = Effect.suspend(
    () =>
      response ??
      Effect.callback<HttpClientResponse, HttpClientError.HttpClientError>((resume) => {
        arrived = () => resume(response ?? Effect.never)
      })
  )
  return Effect.onInterrupt(awaited, () => Effect.sync(leave))
}

/** Makes an HTTP client whose requests go to the given function, with the clock of the caller. */
export const makeHttpClient = (admit: Admit): HttpClient.HttpClient =>
  HttpClient.make((request, url, signal, fiber) =>
    Effect.flatMap(textOf(request), (body) => {
      const admitted = admit(fakeRequest(request, url, body), clockOf(fiber))
      return delivered(admitted, (delivery) => responseOf(delivery, admitted, { request, url, signal }))
    })
  )
