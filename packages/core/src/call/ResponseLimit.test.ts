import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import { createServer } from "node:http"
import { clientLayer, makeTransport, page, type Respond } from "../../test/transport/Transport.ts"
import { transports, transportsOn } from "../../test/transport/Transports.ts"
import { MaxResponseBytes } from "../policies/Policies.ts"
import { Credentials } from "../services/Credentials.ts"
import { Events } from "../services/Events.ts"

/** A body without an announced size, in parts; `cancelled` is set when the client stops reading. */
const streamed = (parts: number) => {
  const seen = { parts: 0, cancelled: false }
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (seen.parts === parts) return controller.close()
      seen.parts += 1
      controller.enqueue(new Uint8Array(1000).fill(32))
    },
    cancel: () => {
      seen.cancelled = true
    }
  })
  return { seen, response: new Response(body, { status: 200, headers: { "content-type": "application/json" } }) }
}

const limited = Effect.provideService(MaxResponseBytes, 10_000)

const names = ["FetchTransport", "HttpClientTransport"] as const

const layerOf = (name: (typeof names)[number], respond: Respond) => {
  const transport = makeTransport(respond)
  return clientLayer({ ...transport, layer: transportsOn(transport.fetch)[name] })
}

/** A service that sends until the client closes the connection. */
const endless = Effect.acquireRelease(
  Effect.promise(async () => {
    let closed: () => void = () => {}
    const isClosed = new Promise<void>((resolve) => (closed = resolve))
    const server = createServer((_, response) => {
      response.on("close", closed)
      const send = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 32)));
      }
      response.on("drain", send)
      send()
    })
    return { server, isClosed, baseUrl: `http://127.0.0.1:${await listenOnLoopback(server)}` }
  }),
  ({ server }) => Effect.sync(() => server.close().closeAllConnections())
)

describe.each(names)("a response body that is larger than the limit, through %s,", (name) => {
  it.live("closes the connection", () =>
    Effect.gen(function* () {
      const { baseUrl, isClosed } = yield* endless
      const error = yield* Events.use(({ list }) => list()).pipe(
        Effect.flip,
        limited,
        Effect.provide(clientLayer({ ...makeTransport(() => "never"), layer: transports[name] }, { baseUrl }))
      )
      assert.strictEqual(error.reason._tag, "MalformedResponse")
      yield* Effect.promise(() => isClosed)
    })
  )

  it.effect("is not read to its end, and a write reports that it was accepted", function* () {
    const { response, seen } = streamed(1_000_000)
    const error = yield* Credentials.use(({ upsert }) => upsert("user-7", { providerId: "fcm", credentials: {} })).pipe(
      Effect.flip,
      limited,
      Effect.provide(layerOf(name, () => response))
    )
    assert.deepInclude(error.reason, { _tag: "MalformedResponse", accepted: true })
    assert.include(error.message, "Expected a body of at most 10000 bytes")
    assert.isTrue(seen.cancelled)
    assert.isAtMost(seen.parts, 13)
  })
  it.effect("is refused when it announces its size", function* () {
    const respond = () =>
      new Response("[]", { status: 200, headers: { "content-type": "application/json", "content-length": "10001" } })
    const error = yield* Events.use(({ list }) => list()).pipe(
      Effect.flip,
      limited,
      Effect.provide(layerOf(name, respond))
    )
    assert.deepInclude(error.reason, { _tag: "MalformedResponse", accepted: false })
    assert.notProperty(error.reason, "body")
  })
  it.effect("keeps the reason of a failure", function* () {
    const respond = () => new Response("", { status: 404, headers: { "content-length": "10001" } })
    const error = yield* Events.use(({ list }) => list()).pipe(
      Effect.flip,
      limited,
      Effect.provide(layerOf(name, respond))
    )
    assert.strictEqual(error.reason._tag, "NotFound")
  })
})

it.effect.each(names)("a body of exactly the limit that announces its size is read by %s", function* (name) {
  const text = JSON.stringify(page({ data: [] })).padEnd(10_000)
  const respond = () => new Response(text, { headers: { "content-length": "10000" } })
  const listed = yield* Events.use(({ list }) => list()).pipe(limited, Effect.provide(layerOf(name, respond)))
  assert.isFalse(listed.hasMore)
})

it.effect.each(names)("a body within the limit is read whole, in any parts, by %s", function* (name) {
  const bytes = new TextEncoder().encode(JSON.stringify(page({ data: [] })).replace("{", '{ "\u00fc": 1, '))
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
      controller.close()
    }
  })
  const listed = yield* Events.use(({ list }) => list()).pipe(
    limited,
    Effect.provide(layerOf(name, () => new Response(body)))
  )
  assert.isFalse(listed.hasMore)
})
