import * as Effect from "effect/Effect"
import * as Cookies from "effect/http/Cookies"
import * as Headers from "effect/http/Headers"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as HttpIncomingMessage from "effect/http/HttpIncomingMessage"
import * as UrlParams from "effect/http/UrlParams"
import * as Inspectable from "effect/Inspectable"
import * as Option from "effect/Option"
import { pipeArguments } from "effect/Pipeable"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import type { WireResponse } from "../wire/Delivery.ts"
import { bodyOf, bytesOf, type WireBody } from "../wire/WireBody.ts"
import type { ReceivedBody } from "./ReceivedBody.ts"

const decoder = new TextDecoder()

const wholeOf = (body: WireBody | ReceivedBody): ReceivedBody["whole"] =>
  "whole" in body ? body.whole : Effect.sync(() => bytesOf(body))

const textOf = (body: WireBody | ReceivedBody): Effect.Effect<string, TypeError> =>
  "whole" in body ? Effect.map(body.whole, (bytes) => decoder.decode(bytes)) : Effect.sync(body.text)

const streamOf = (body: WireBody | ReceivedBody): ReceivedBody["stream"] =>
  "stream" in body ? body.stream : Stream.fromEffect(wholeOf(body))

/** The source of a response: a complete body, or a body that is still arriving. */
export interface Received {
  readonly response: WireResponse
  /** `undefined` for a response without a body. */
  readonly body: WireBody | ReceivedBody | undefined
}

/** A response as Effect's HTTP client shows it, with the same failures as the client over `fetch`. */
export class FakeHttpClientResponse extends Inspectable.Class implements HttpClientResponse.HttpClientResponse {
  readonly [HttpIncomingMessage.TypeId]: typeof HttpIncomingMessage.TypeId = HttpIncomingMessage.TypeId
  readonly [HttpClientResponse.TypeId]: typeof HttpClientResponse.TypeId = HttpClientResponse.TypeId
  readonly remoteAddress = Option.none()
  readonly request: HttpClientRequest.HttpClientRequest
  readonly #url: URL
  readonly #received: Received

  constructor(request: HttpClientRequest.HttpClientRequest, url: URL, received: Received) {
    super()
    this.request = request
    this.#url = url
    this.#received = received
  }

  get url() {
    return this.#url.href.split("#", 1)[0] ?? ""
  }
  get status() {
    return this.#received.response.status
  }
  get headers() {
    return Headers.fromInput(this.#received.response.headers)
  }
  get cookies() {
    return Cookies.fromSetCookie(this.#received.response.headers["set-cookie"] ?? [])
  }

  #failed(cause: unknown): HttpClientError.HttpClientError {
    return new HttpClientError.HttpClientError({
      reason: new HttpClientError.DecodeError({ request: this.request, response: this, cause })
    })
  }

  get text() {
    return Effect.mapError(textOf(this.#received.body ?? bodyOf("")), (cause) => this.#failed(cause))
  }
  get json(): Effect.Effect<Schema.Json, HttpClientError.HttpClientError> {
    return Effect.flatMap(this.text, (text) =>
      Effect.try({
        // `JSON.parse` returns JSON.
        try: () => (text === "" ? null : (JSON.parse(text) as Schema.Json)),
        catch: (cause) => this.#failed(cause)
      })
    )
  }
  get arrayBuffer() {
    return Effect.mapBoth(wholeOf(this.#received.body ?? bodyOf("")), {
      onSuccess: ({ buffer, byteLength, byteOffset }) => buffer.slice(byteOffset, byteOffset + byteLength),
      onFailure: (cause) => this.#failed(cause)
    })
  }
  get urlParamsBody() {
    return Effect.map(this.text, (text) => UrlParams.fromInput(new URLSearchParams(text)))
  }
  get formData() {
    return Effect.flatMap(this.arrayBuffer, (bytes) =>
      Effect.tryPromise({
        try: () => new Response(bytes, { headers: this.#received.response.headers }).formData(),
        catch: (cause) => this.#failed(cause)
      })
    )
  }
  get stream(): Stream.Stream<Uint8Array, HttpClientError.HttpClientError> {
    const { body } = this.#received
    return body === undefined
      ? Stream.fail(
          new HttpClientError.HttpClientError({
            reason: new HttpClientError.EmptyBodyError({
              request: this.request,
              response: this,
              description: "can not create stream from empty body"
            })
          })
        )
      : Stream.mapError(streamOf(body), (cause) => this.#failed(cause))
  }
  get upgrade(): Effect.Effect<never, HttpClientError.HttpClientError> {
    return Effect.fail(
      new HttpClientError.HttpClientError({
        reason: new HttpClientError.StatusCodeError({
          request: this.request,
          response: this,
          description: "the fake cannot hand over a connection"
        })
      })
    )
  }

  override toJSON(): unknown {
    return HttpIncomingMessage.inspect(this, {
      _id: "HttpClientResponse",
      request: this.request.toJSON(),
      status: this.status
    })
  }

  pipe() {
    // `pipeArguments` is made for exactly this object.
    // oxlint-disable-next-line prefer-rest-params
    return pipeArguments(this, arguments)
  }
}
