import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import { vi } from "vitest"
import * as FetchTransport from "./FetchTransport.ts"
import type { TransportRequest } from "./Transport.ts"

const request: TransportRequest = { method: "GET", url: "http://service.test/v1", headers: {}, body: undefined }

/** Sends a request over a `fetch` that resolves to this; a caller's replacement can resolve to anything. */
const receive = (response: unknown, given: Partial<TransportRequest> = {}) =>
  FetchTransport.make(async () => response as Response).send({ ...request, ...given })

const streamOf = (...parts: ReadonlyArray<string>) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part))
      controller.close()
    }
  })

const announced = (length: string, headers: Record<string, string> = {}) => ({ "content-length": length, ...headers })

describe("a body under a limit of five bytes", () => {
  const bodies: ReadonlyArray<readonly [string, () => Response, string | undefined]> = [
    ["announced", () => new Response("12345", { headers: announced("5") }), "12345"],
    ["announced, too large", () => new Response("123456", { headers: announced("6") }), undefined],
    [
      "announced as smaller, compressed",
      () =>
        new Response("123456", {
          headers: announced("1", { "content-encoding": "gzip" })
        }),
      undefined
    ],
    ["of an unknown size", () => new Response(streamOf("12", "345")), "12345"],
    ["of an unknown size, too large", () => new Response(streamOf("12", "3456")), undefined],
    ["without a body", () => new Response(null), ""]
  ]
  for (const [name, make, text] of bodies) {
    it.effect(name, function* () {
      const response = make()
      const result = yield* Effect.result(receive(response, { maxResponseBytes: 5 }))
      if (text === undefined) {
        assert(result._tag === "Failure")
        assert.isTrue(result.failure.isTooLarge)
        assert.strictEqual(result.failure.partial?.status, 200)
      } else {
        assert(result._tag === "Success")
        assert.strictEqual(result.success.text, text)
      }
    })
  }
  it.effect("keeps characters whole that arrive in parts", function* () {
    const bytes = new TextEncoder().encode("ü")
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      }
    })
    assert.strictEqual((yield* receive(new Response(body), { maxResponseBytes: 5 })).text, "ü")
    const half = new Response(bytes.slice(0, 1))
    assert.strictEqual((yield* receive(half, { maxResponseBytes: 5 })).text, "\uFFFD")
  })
})

describe("a replacement of fetch", () => {
  it.effect("that resolves to no response fails the exchange", function* () {
    for (const response of [undefined, null, {}, { status: "200" }, { status: 200.5 }, Response.error()]) {
      const error = yield* Effect.flip(receive(response))
      assert.strictEqual(String(error.cause), "Error: fetch gave no Response")
      assert.isUndefined(error.partial)
      assert.isFalse(error.isTooLarge)
    }
  })
  it.effect("can resolve to a part of a response", function* () {
    const text = async () => "{}"
    const plain = yield* receive({ status: 200, headers: { "X-Id": "1" }, text }, { maxResponseBytes: 5 })
    assert.deepStrictEqual(plain, { status: 200, headers: { "x-id": "1" }, text: "{}" })
    const silent = yield* receive({ status: 204, text: async () => undefined })
    assert.deepStrictEqual(silent, { status: 204, headers: {}, text: "" })
    const read = { status: 200, text, bodyUsed: true, body: streamOf("{}") }
    assert.strictEqual((yield* receive(read, { maxResponseBytes: 5 })).text, "{}")
  })
})

describe("a request that must not be sent twice", () => {
  const sentBody = Effect.fnUntraced(
    function* (
      transport: (fetch: typeof globalThis.fetch) => ReturnType<typeof FetchTransport.make>,
      isUnsafeToResend: boolean
    ) {
      const bodies: Array<unknown> = []
      const fetch: typeof globalThis.fetch = async (_, init) => {
        bodies.push(init?.body)
        return new Response("")
      }
      vi.stubGlobal("fetch", fetch)
      yield* transport(fetch).send({ ...request, method: "POST", body: "{}", isUnsafeToResend })
      return bodies[0]
    },
    Effect.ensuring(Effect.sync(() => vi.unstubAllGlobals()))
  )
  const platform = () => FetchTransport.make()

  it.effect("is a stream on Deno, which would resend a string", function* () {
    const onDeno = () => {
      vi.stubGlobal("Deno", {})
      return FetchTransport.make()
    }
    const body = yield* sentBody(onDeno, true)
    assert.instanceOf(body, ReadableStream)
    assert.strictEqual(yield* sentBody(onDeno, false), "{}")
    assert.strictEqual(yield* sentBody(platform, true), "{}")
    const passedIn = (fetch: typeof globalThis.fetch) => {
      vi.stubGlobal("Deno", {})
      return FetchTransport.make(fetch)
    }
    assert.strictEqual(yield* sentBody(passedIn, true), "{}")
  })
})
