import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Inspectable from "effect/Inspectable"
import * as Stream from "effect/Stream"
import type { WireResponse } from "../wire/Delivery.ts"
import { bodyOf, bytesOf, type WireBody } from "../wire/WireBody.ts"
import type { ReceivedBody } from "./ReceivedBody.ts"

/** The source of a response: a complete body, or a body that is still arriving. */
export interface Received {
  readonly response: WireResponse
  /** `undefined` for a response without a body. */
  readonly body: WireBody | ReceivedBody | undefined
}

const decoder = new TextDecoder()

const received = (body: WireBody): ReceivedBody => {
  const whole = Effect.sync(() => bytesOf(body))
  return { whole, stream: Stream.fromEffect(whole) }
}

/** The known properties, and all others of an object that is made when one of those is first read. */
const completedBy = <A extends object>(known: Partial<A>, make: () => A): A => {
  let made: A | undefined
  const complete = () => (made ??= Object.defineProperties(make(), Object.getOwnPropertyDescriptors(known)))
  // The traps respond for what the target lacks.
  return new Proxy(known as A, {
    get: (_, key) => Reflect.get(Object.hasOwn(known, key) ? known : complete(), key),
    has: (_, key) => Object.hasOwn(known, key) || key in complete()
  })
}

/**
 * A response as Effect's HTTP client shows it, with the same failures as the client over `fetch`. Its body arrives on the
 * caller's fiber, because a `TestClock` does not wait for the promises of a `Response`. A `Response` is made for what clients
 * seldom read only: the first one loads the whole HTTP client of Node, which takes as long as half a start of Node.
 */
export const fakeResponse = (
  request: HttpClientRequest.HttpClientRequest,
  url: URL,
  { body, response: { headers, status } }: Received
): HttpClientResponse.HttpClientResponse => {
  const { stream, whole } = body !== undefined && "whole" in body ? body : received(body ?? bodyOf(""))
  const failed = (cause: unknown): HttpClientError.HttpClientError =>
    new HttpClientError.HttpClientError({ reason: new HttpClientError.DecodeError({ request, response, cause }) })
  const bytes = Effect.mapError(whole, failed)
  const response: HttpClientResponse.HttpClientResponse = completedBy<HttpClientResponse.HttpClientResponse>(
    {
      // Node inspects the target of a proxy.
      [Inspectable.NodeInspectSymbol]: (): unknown => response.toJSON(),
      request,
      status,
      headers: Headers.fromInput(headers),
      text: Effect.map(bytes, (all) => decoder.decode(all)),
      arrayBuffer: Effect.map(bytes, ({ buffer, byteLength, byteOffset }) =>
        buffer.slice(byteOffset, byteOffset + byteLength)
      ),
      ...(body === undefined ? {} : { stream: Stream.mapError(stream, failed) })
    },
    () => {
      const source = body === undefined ? null : Stream.toReadableStream(stream, { strategy: { highWaterMark: 0 } })
      const web = Object.defineProperty(new Response(source, { status, headers }), "url", { value: url.href })
      return HttpClientResponse.fromWeb(request, web)
    }
  )
  return response
}
