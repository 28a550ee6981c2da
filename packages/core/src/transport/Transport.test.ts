import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { transportsOn } from "../../test/transport/Transports.ts"
import { Transport, type TransportRequest } from "./Transport.ts"

const request: TransportRequest = {
  method: "POST",
  url: "http://service.test/v1/messages?limit=5&limit=6",
  headers: { authorization: "ApiKey key", "content-type": "application/json" },
  body: JSON.stringify({ text: "Grüße" })
}

const names = ["FetchTransport", "HttpClientTransport"] as const

const sendBy = (name: (typeof names)[number], fetch: typeof globalThis.fetch, given: TransportRequest = request) =>
  Transport.use((transport) => transport.send(given)).pipe(Effect.provide(transportsOn(fetch)[name]))

describe.each(names)("%s", (name) => {
  it.effect("sends the request unchanged, follows no redirect, and returns the whole response", function* () {
    const sent: Array<Request> = []
    const answer = yield* sendBy(name, async (input, init) => {
      sent.push(new Request(input, init))
      return new Response("{}", { status: 202, headers: { "X-Request-Id": "r1" } })
    })
    const [only] = sent
    assert.strictEqual(only?.method, "POST")
    assert.strictEqual(only?.url, request.url)
    assert.strictEqual(only?.redirect, "manual")
    assert.strictEqual(only?.headers.get("authorization"), "ApiKey key")
    assert.strictEqual(only?.headers.get("content-type"), "application/json")
    assert.strictEqual(yield* Effect.promise(async () => only?.text()), request.body)
    assert.deepStrictEqual(answer, {
      status: 202,
      headers: { "content-type": "text/plain;charset=UTF-8", "x-request-id": "r1" },
      text: "{}"
    })
  })

  it.effect("sends no content type without a body", function* () {
    const sent: Array<Request> = []
    const get: TransportRequest = { method: "GET", url: request.url, headers: {}, body: undefined }
    yield* sendBy(
      name,
      async (input, init) => {
        sent.push(new Request(input, init))
        return new Response(null, { status: 204 })
      },
      get
    )
    assert.strictEqual(sent[0]?.body, null)
    assert.isNull(sent[0]?.headers.get("content-type"))
  })

  it.effect("reads an empty body under a limit", function* () {
    const { text } = yield* sendBy(name, async () => new Response(null, { status: 204 }), {
      ...request,
      maxResponseBytes: 10
    })
    assert.strictEqual(text, "")
  })

  it.effect("returns the platform's error when there is no response", function* () {
    const cause = new TypeError("fetch failed")
    const rejected = yield* Effect.flip(sendBy(name, () => Promise.reject(cause)))
    const thrown = yield* Effect.flip(
      sendBy(name, () => {
        throw cause
      })
    )
    for (const error of [rejected, thrown]) {
      assert.strictEqual(error.cause, cause)
      assert.isUndefined(error.partial)
    }
  })

  it.effect("keeps the status and headers of a response whose body breaks off", function* () {
    const body = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) })
    const broken = new Response(body, { status: 503, headers: { "retry-after": "1" } })
    const { partial } = yield* Effect.flip(sendBy(name, async () => broken))
    // A copy, as the pipeline makes one: inherited properties would be lost.
    assert.deepInclude({ ...partial }, { status: 503 })
    assert.strictEqual(partial?.headers["retry-after"], "1")
  })

  it.effect("interruption aborts the request", function* () {
    const signals: Array<AbortSignal | null | undefined> = []
    const fiber = yield* Effect.forkChild(
      sendBy(name, (_, init) => {
        signals.push(init?.signal)
        return new Promise(() => {})
      }),
      { startImmediately: true }
    )
    assert.isFalse(signals[0]?.aborted)
    yield* Fiber.interrupt(fiber)
    assert.isTrue(signals[0]?.aborted)
  })
})
