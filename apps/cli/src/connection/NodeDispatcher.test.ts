import { once } from "node:events"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import type { TransportRequest } from "@signalbox/core/Transport"
import * as UndiciTransport from "@signalbox/core/UndiciTransport"
import { listenOnLoopback } from "@signalbox/testing/Loopback"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { nodeDispatcher } from "./NodeDispatcher.ts"

const transport = UndiciTransport.make(nodeDispatcher)

/** The address of a server without its scheme; it closes with the scope. */
const serving = (listener: RequestListener) => {
  const server = createServer((request, response) => request.resume().once("end", () => listener(request, response)))
  return Effect.acquireRelease(
    Effect.map(
      Effect.promise(() => listenOnLoopback(server)),
      (port) => `127.0.0.1:${port}`
    ),
    () => Effect.sync(() => (server.closeAllConnections(), server.close()))
  )
}

const to = (url: string, more: Partial<TransportRequest> = {}): TransportRequest => ({
  method: "GET",
  url: `${url}/v1/notifications?page=0`,
  headers: {},
  body: undefined,
  ...more
})

describe("nodeDispatcher", () => {
  it.live("sends the request unchanged and returns the whole response", () =>
    Effect.gen(function* () {
      const arrived: Array<IncomingMessage> = []
      const address = yield* serving((request, response) => {
        arrived.push(request)
        response.writeEarlyHints({ link: "</style.css>; rel=preload" })
        response.writeHead(200, { "Content-Encoding": "gzip", "X-Two": ["a", "b"] }).end(gzipSync("Grüße"))
      })
      const body = JSON.stringify({ text: "Grüße" })
      const { headers, status, text } = yield* transport.send(
        to(`http://${address}`, { method: "PATCH", headers: { "x-mine": "1" }, body })
      )
      assert.deepStrictEqual([status, text, headers["x-two"]], [200, "Grüße", "a, b"])
      const [only] = arrived
      assert.deepStrictEqual([only?.method, only?.url], ["PATCH", "/v1/notifications?page=0"])
      assert.strictEqual(only?.headers["x-mine"], "1")
      assert.strictEqual(only?.headers["content-length"], String(Buffer.byteLength(body)))
    }).pipe(Effect.scoped)
  )

  it.live("sends a path that starts with two slashes to its own server", () =>
    Effect.gen(function* () {
      const paths: Array<string | undefined> = []
      const address = yield* serving(({ url }, response) => {
        paths.push(url)
        response.end()
      })
      yield* transport.send(to(`http://${address}`, { url: `http://${address}//192.0.2.1/v1?a=b` }))
      assert.deepStrictEqual(paths, ["//192.0.2.1/v1?a=b"])
    }).pipe(Effect.scoped)
  )

  it.live("follows no redirect", () =>
    Effect.gen(function* () {
      const address = yield* serving((_, response) => void response.writeHead(302, { location: "/elsewhere" }).end())
      assert.strictEqual((yield* transport.send(to(`http://${address}`))).status, 302)
    }).pipe(Effect.scoped)
  )

  const failures: ReadonlyArray<
    readonly [name: string, scheme: string, listener: RequestListener, delivery: string, status?: number]
  > = [
    ["a response that breaks off", "http", (_, response) => void breakOff(response), "unknown", 200],
    ["a connection that closes without a response", "http", ({ socket }) => void socket.destroy(), "unknown"],
    ["a failed TLS handshake", "https", () => {}, "not-sent"]
  ]
  const breakOff = (response: ServerResponse) =>
    response.writeHead(200, { "content-length": 10 }).write("half", () => response.destroy())

  it.live.each(failures)("reports %s", ([, scheme, listener, delivery, status]) =>
    Effect.gen(function* () {
      const address = yield* serving(listener)
      const error = yield* Effect.flip(transport.send(to(`${scheme}://${address}`)))
      assert.deepStrictEqual([error.delivery, error.partial?.status], [delivery, status])
    }).pipe(Effect.scoped)
  )

  it.live("reports that a request to a closed port was not sent", () =>
    Effect.gen(function* () {
      const address = yield* Effect.scoped(serving(() => {}))
      assert.strictEqual((yield* Effect.flip(transport.send(to(`http://${address}`)))).delivery, "not-sent")
    })
  )

  it.live("closes the connection of an interrupted request", () =>
    Effect.gen(function* () {
      const arrived = yield* Deferred.make<IncomingMessage>()
      const address = yield* serving((request) => Deferred.doneUnsafe(arrived, Effect.succeed(request)))
      const fiber = yield* Effect.forkChild(transport.send(to(`http://${address}`)))
      const { socket } = yield* Deferred.await(arrived)
      const closed = once(socket, "close")
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => closed)
    }).pipe(Effect.scoped)
  )
})
