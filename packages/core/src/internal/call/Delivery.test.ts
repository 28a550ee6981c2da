import { createServer as createHttpServer } from "node:http"
import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { transports } from "../../../test/transport/Transports.ts"
import * as Client from "../../Client.ts"
import * as Connection from "../../Connection.ts"
import { Events } from "../../Events.ts"
import * as RetryPolicy from "../../RetryPolicy.ts"
import type { Transport } from "../../Transport.ts"
import { deliveryOf } from "./Delivery.ts"

const listening = (server: Server) =>
  Effect.acquireRelease(
    Effect.callback<number>((resume) => {
      // A server that listens on a port has an address with a port.
      server.listen(0, "127.0.0.1", () => resume(Effect.succeed((server.address() as AddressInfo).port)))
    }),
    () => Effect.sync(() => server.close())
  )

/** A server that does this to every connection. */
const sockets = (onConnection: (socket: Socket) => void) =>
  listening(
    createServer((socket) => {
      socket.on("error", () => {})
      onConnection(socket)
    })
  )

/** What a list call on the `fetch` of this Node fails with. */
const failureOn = (transport: Layer.Layer<Transport>) => (baseUrl: string) =>
  Events.use((events) => events.list()).pipe(
    Effect.flip,
    Effect.provide(
      Client.layerNoDeps.pipe(
        Layer.provide(transport),
        Layer.provide(Layer.orDie(Connection.layer({ apiKey: "key", baseUrl }))),
        Layer.merge(RetryPolicy.layer(RetryPolicy.none))
      )
    ),
    Effect.map(({ reason }) => (reason._tag === "TransportFailure" ? reason.delivery : reason._tag))
  )

const afterRequest = (then: (socket: Socket) => void) => (socket: Socket) => {
  socket.once("data", () => then(socket))
}

/** A promise that is fulfilled from outside. */
const makeSignal = () => {
  let resolve = () => {}
  const promise = new Promise<void>((fulfil) => {
    resolve = fulfil
  })
  return { promise, resolve: () => resolve() }
}

const head = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n"

describe.each(Object.entries(transports))("on the fetch of this Node, by %s", (_, transport) => {
  const failureAt = failureOn(transport)
  const unknown: ReadonlyArray<readonly [string, (socket: Socket) => void]> = [
    ["reset before the request was read", (socket) => void socket.resetAndDestroy()],
    ["reset after the request was read", afterRequest((socket) => void socket.resetAndDestroy())],
    ["closed before the request was read", (socket) => void socket.end()],
    ["closed after the request was read", afterRequest((socket) => void socket.end())],
    ["garbage instead of HTTP", afterRequest((socket) => void socket.end("hello\r\n\r\n"))],
    ["a cut body", afterRequest((socket) => void socket.end(`${head}{"data":[`))],
    ["a reset body", afterRequest((socket) => void socket.write(`${head}{"data":[`, () => socket.resetAndDestroy()))],
    ["a cut head", afterRequest((socket) => void socket.end("HTTP/1.1 200 OK\r\ncontent-"))]
  ]
  for (const [name, onConnection] of unknown) {
    it.live(`${name} is unknown`, () =>
      Effect.gen(function* () {
        const port = yield* sockets(onConnection)
        assert.strictEqual(yield* failureAt(`http://127.0.0.1:${port}`), "unknown")
      })
    )
  }
  it.live("a refused connection is not sent", () =>
    Effect.gen(function* () {
      const port = yield* Effect.scoped(sockets(() => {}))
      assert.strictEqual(yield* failureAt(`http://127.0.0.1:${port}`), "not-sent")
    })
  )
  it.live("an unknown name is not sent", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* failureAt("http://no-such-host.invalid"), "not-sent")
    })
  )
  it.live("a server without TLS is not sent", () =>
    Effect.gen(function* () {
      const port = yield* listening(createHttpServer((_, response) => void response.end()))
      assert.strictEqual(yield* failureAt(`https://127.0.0.1:${port}`), "not-sent")
    })
  )
  it.live("interruption closes the connection, before the answer and within its body", () =>
    Effect.gen(function* () {
      for (const text of ["", `${head}{"data":[`]) {
        let isOpen = false
        const closed = makeSignal()
        const begun = makeSignal()
        const port = yield* sockets((socket) => {
          isOpen = true
          socket.once("close", () => {
            isOpen = false
            closed.resolve()
          })
          socket.once("data", () => {
            if (text === "") begun.resolve()
            else socket.write(text, () => begun.resolve())
          })
        })
        const fiber = yield* Effect.forkChild(failureAt(`http://127.0.0.1:${port}`))
        yield* Effect.promise(() => begun.promise)
        yield* Fiber.interrupt(fiber)
        yield* Effect.promise(() => closed.promise)
        assert.isFalse(isOpen)
      }
    })
  )
})

describe("deliveryOf", () => {
  const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more })
  it("looks through causes, and at all of several addresses", () => {
    assert.deepStrictEqual(deliveryOf(new TypeError("x", { cause: coded("ENOTFOUND") })), {
      delivery: "not-sent",
      code: "ENOTFOUND"
    })
    const both = new AggregateError([coded("ECONNREFUSED"), coded("ECONNREFUSED")])
    assert.strictEqual(deliveryOf(new TypeError("x", { cause: both })).delivery, "not-sent")
    const mixed = new AggregateError([coded("ECONNREFUSED"), coded("ECONNRESET")])
    assert.strictEqual(deliveryOf(mixed).delivery, "unknown")
  })
  it("believes a timeout only while connecting", () => {
    assert.strictEqual(deliveryOf(coded("ETIMEDOUT", { syscall: "connect" })).delivery, "not-sent")
    assert.strictEqual(deliveryOf(coded("ETIMEDOUT", { syscall: "read" })).delivery, "unknown")
  })
  it("knows nothing of everything else, rings among it", () => {
    const ring = new Error("ring")
    ring.cause = ring
    for (const cause of [undefined, null, "text", 7, new Error(), ring]) {
      assert.deepStrictEqual(deliveryOf(cause), { delivery: "unknown" })
    }
  })

  it("keeps what the innermost failure says where none has a code", () => {
    const cause = new Error("bad port")
    assert.deepStrictEqual(deliveryOf(new TypeError("fetch failed", { cause })), {
      delivery: "unknown",
      said: "bad port"
    })
  })
})
