import * as Effect from "effect/Effect"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
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

const received = (body: WireBody): ReceivedBody => {
  const whole = Effect.sync(() => bytesOf(body))
  return { whole, stream: Stream.fromEffect(whole) }
}

/**
 * A response as Effect's HTTP client shows it, with the same failures as the client over `fetch`. Its body arrives on the
 * caller's fiber, because a `TestClock` does not wait for the promises of a `Response`.
 */
export const fakeResponse = (
  request: HttpClientRequest.HttpClientRequest,
  url: URL,
  { body, response: { headers, status } }: Received
): HttpClientResponse.HttpClientResponse => {
  const { stream, whole } = body !== undefined && "whole" in body ? body : received(body ?? bodyOf(""))
  const source = body === undefined ? null : Stream.toReadableStream(stream, { strategy: { highWaterMark: 0 } })
  const web = Object.defineProperty(new Response(source, { status, headers }), "url", { value: url.href })
  const response = HttpClientResponse.fromWeb(request, web)
  const failed = (cause: unknown): HttpClientError.HttpClientError =>
    new HttpClientError.HttpClientError({ reason: new HttpClientError.DecodeError({ request, response, cause }) })
  const arrayBuffer = Effect.mapBoth(whole, {
    onSuccess: ({ buffer, byteLength, byteOffset }) => buffer.slice(byteOffset, byteOffset + byteLength),
    onFailure: failed
  })
  return Object.defineProperties(response, {
    arrayBuffer: { value: arrayBuffer },
    ...(body === undefined ? {} : { stream: { value: Stream.mapError(stream, failed) } })
  })
}
