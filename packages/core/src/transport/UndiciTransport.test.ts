import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { assert, describe, it } from "@effect/vitest"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { createSecureServer } from "node:http2"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import { Agent, type Dispatcher as UndiciDispatcher } from "undici"
import { Agent as Agent8, EnvHttpProxyAgent as EnvHttpProxyAgent8 } from "undici-8"
import { makeCertificates } from "../../test/nodes/Certificates.ts"
import type { DispatchController, DispatchHandler, Dispatcher } from "./Dispatcher.ts"
import type { ResponseHead, TransportRequest } from "./Transport.ts"
import * as UndiciTransport from "./UndiciTransport.ts"

/** A server with its URL, and an agent for it; both are closed with the scope. */
const serving = (listener: RequestListener, options: Agent.Options = {}) =>
  Effect.gen(function* () {
    const server = createServer((request, response) => {
      request.resume().once("end", () => listener(request, response))
    })
    const connections = { opened: 0 }
    server.on("connection", () => void (connections.opened += 1))
    const agent = new Agent(options)
    const url = yield* Effect.acquireRelease(
      Effect.map(
        Effect.promise(() => listenOnLoopback(server)),
        (port) => `http://127.0.0.1:${port}`
      ),
      () =>
        Effect.promise(async () => {
          await agent.destroy()
          server.closeAllConnections()
          server.close()
        })
    )
    return { agent, connections, transport: UndiciTransport.make(agent), url }
  })

const get = (url: string, more: Partial<TransportRequest> = {}): TransportRequest => ({
  method: "GET",
  url: `${url}/v1/notifications?page=0`,
  headers: {},
  body: undefined,
  ...more
})

const answer =
  (body: string | Uint8Array, headers: Record<string, string | Array<string>> = {}) =>
  (_: IncomingMessage, response: ServerResponse) =>
    void response.writeHead(200, headers).end(body)

describe("UndiciTransport", () => {
  it.live("sends the request unchanged and returns the whole response", () =>
    Effect.gen(function* () {
      const arrived: Array<Pick<IncomingMessage, "method" | "url" | "headers">> = []
      const { transport, url } = yield* serving((request, response) => {
        arrived.push(request)
        response.writeEarlyHints({ link: "</style.css>; rel=preload" })
        answer("Grüße", { "X-Request-Id": "r1", "X-Two": ["a", "b"] })(request, response)
      })
      const body = JSON.stringify({ text: "Grüße" })
      const headers = { "Accept-Encoding": "identity", "content-type": "application/json" }
      const response = yield* transport.send(get(url, { method: "PATCH", headers, body }))
      const [only] = arrived
      assert.deepStrictEqual([only?.method, only?.url], ["PATCH", "/v1/notifications?page=0"])
      assert.strictEqual(only?.headers["accept-encoding"], "identity")
      assert.strictEqual(only?.headers["content-length"], String(Buffer.byteLength(body)))
      assert.strictEqual(response.status, 200)
      assert.strictEqual(response.text, "Grüße")
      assert.strictEqual(response.headers["x-request-id"], "r1")
      assert.strictEqual(response.headers["x-two"], "a, b")
    }).pipe(Effect.scoped)
  )

  it.live("follows no redirect, and reads a response without a body", () =>
    Effect.gen(function* () {
      const { transport, url } = yield* serving((_, response) => {
        response.writeHead(302, { location: "/elsewhere" }).end()
      })
      const { status, text } = yield* transport.send(get(url))
      assert.deepStrictEqual([status, text], [302, ""])
    }).pipe(Effect.scoped)
  )

  it.live("sends calls that follow each other on one connection", () =>
    Effect.gen(function* () {
      const { connections, transport, url } = yield* serving(answer("{}"))
      yield* Effect.repeat(transport.send(get(url)), { times: 4 })
      assert.strictEqual(connections.opened, 1)
    }).pipe(Effect.scoped)
  )

  describe("decompresses", () => {
    const text = "x".repeat(10_000)
    it.live.each([
      ["gzip", gzipSync(text)],
      ["x-gzip", gzipSync(text)],
      ["br", brotliCompressSync(text)],
      ["deflate", deflateSync(text)],
      // Without the header of zlib.
      ["Deflate", deflateRawSync(text)],
      ["gzip, br", brotliCompressSync(gzipSync(text))]
    ] as const)("%s", ([encoding, body]) =>
      Effect.gen(function* () {
        const { transport, url } = yield* serving(answer(body, { "content-encoding": encoding }))
        assert.strictEqual((yield* transport.send(get(url))).text, text)
        const tooLarge = yield* Effect.flip(transport.send(get(url, { maxResponseBytes: 9_999 })))
        assert.isTrue(tooLarge.isTooLarge)
        assert.strictEqual((yield* transport.send(get(url, { maxResponseBytes: 10_000 }))).text, text)
      }).pipe(Effect.scoped)
    )

    it.live("at most five codings, as fetch does: each of them costs as much as the limit allows", () =>
      Effect.gen(function* () {
        const wrapped = (times: number): Buffer => (times === 0 ? Buffer.from(text) : gzipSync(wrapped(times - 1)))
        const codings = (times: number) => ({ "content-encoding": Array(times).fill("gzip").join(", ") })
        const five = yield* serving(answer(wrapped(5), codings(5)))
        assert.strictEqual((yield* five.transport.send(get(five.url))).text, text)
        const six = yield* serving(answer(wrapped(6), codings(6)))
        const error = yield* Effect.flip(six.transport.send(get(six.url)))
        assert.deepInclude({ ...error }, { delivery: "unknown", isTooLarge: false })
        assert.strictEqual(String(error.cause), "Error: 6 content codings, more than the 5 that are allowed")
      }).pipe(Effect.scoped)
    )

    it.live("nothing that has no body or an unknown coding", () =>
      Effect.gen(function* () {
        const empty = yield* serving(answer("", { "content-encoding": "gzip" }))
        assert.strictEqual((yield* empty.transport.send(get(empty.url))).text, "")
        const unknown = yield* serving(answer("as is", { "content-encoding": "gzip, rot13" }))
        assert.strictEqual((yield* unknown.transport.send(get(unknown.url))).text, "as is")
      }).pipe(Effect.scoped)
    )
  })

  it.live.each([204, 205, 304])("reads a %i that announces a body, as fetch does: it never has one", (status) =>
    Effect.gen(function* () {
      const { transport, url } = yield* serving(({ socket }) => {
        socket.write(`HTTP/1.1 ${status} Nothing\r\nx-request-id: r1\r\ncontent-length: 5\r\n\r\nhello`)
      })
      const { headers, text } = yield* transport.send(get(url))
      assert.deepStrictEqual([headers["x-request-id"], text], ["r1", ""])
    }).pipe(Effect.scoped)
  )

  it.live("reports the head of a response whose body never ends", () =>
    Effect.gen(function* () {
      const { transport, url } = yield* serving((_, response) => {
        response.writeHead(404, { "x-request-id": "r1" }).write("{")
      })
      const seen = yield* Deferred.make<ResponseHead>()
      const progress = (head?: ResponseHead) => head && Deferred.doneUnsafe(seen, Effect.succeed(head))
      yield* Effect.forkScoped(transport.send(get(url), progress))
      const { headers, status } = yield* Deferred.await(seen)
      assert.deepStrictEqual([status, headers["x-request-id"]], [404, "r1"])
    }).pipe(Effect.scoped)
  )

  it.live("closes the connection of a response that is too large, announced or not", () =>
    Effect.gen(function* () {
      for (const announced of [{ "content-length": "100000000" }, {}]) {
        const closed: Array<string> = []
        const { transport, url } = yield* serving(({ socket }, response) => {
          socket.once("close", () => closed.push("closed"))
          // Never ends.
          response.writeHead(200, announced).write("x".repeat(2_000))
        })
        const error = yield* Effect.flip(transport.send(get(url, { maxResponseBytes: 1_000 })))
        assert.isTrue(error.isTooLarge)
        assert.strictEqual(error.partial?.status, 200)
        yield* Effect.promise(async () => {
          while (closed.length === 0) await new Promise(setImmediate)
        })
      }
    }).pipe(Effect.scoped)
  )

  it.live("reports not sent for a closed dispatcher", () =>
    Effect.gen(function* () {
      const { agent, transport, url } = yield* serving(answer("{}"))
      yield* Effect.promise(() => agent.destroy())
      const { delivery } = yield* Effect.flip(transport.send(get(url)))
      assert.strictEqual(delivery, "not-sent")
    }).pipe(Effect.scoped)
  )

  it.live("reports not sent for a dispatcher that throws, as one of undici 6 does", () =>
    Effect.gen(function* () {
      const cause = new Error("invalid onError method")
      const dispatch = () => {
        throw cause
      }
      const error = yield* Effect.flip(UndiciTransport.make({ dispatch }).send(get("http://127.0.0.1")))
      assert.deepStrictEqual([error.delivery, error.cause], ["not-sent", cause])
    })
  )

  it.live("writes nothing after an interruption while it waits for a connection", () =>
    Effect.gen(function* () {
      const paths: Array<string | undefined> = []
      let release = () => {}
      const released = new Promise<void>((resolve) => {
        release = resolve
      })
      const { transport, url } = yield* serving(
        async (request, response) => {
          paths.push(request.url)
          await released
          response.end("{}")
        },
        { connections: 1 }
      )
      const first = yield* Effect.forkChild(transport.send(get(url)), { startImmediately: true })
      const waiting = yield* Effect.forkChild(transport.send({ ...get(url), url: `${url}/waiting` }), {
        startImmediately: true
      })
      yield* Effect.promise(async () => {
        while (paths.length === 0) await new Promise(setImmediate)
      })
      yield* Fiber.interrupt(waiting)
      release()
      yield* Fiber.join(first)
      yield* transport.send({ ...get(url), url: `${url}/after` })
      assert.deepStrictEqual(paths, ["/v1/notifications?page=0", "/after"])
    }).pipe(Effect.scoped)
  )

  it.live("writes a request once, also with a dispatcher that would send it again", () =>
    Effect.gen(function* () {
      let arrived = 0
      const { agent, url } = yield* serving((_, response) => {
        arrived += 1
        response.socket?.destroy()
      })
      const resending: Dispatcher = {
        dispatch: (options, handler) =>
          agent.dispatch(options, {
            ...bound(handler),
            onResponseError: () => void agent.dispatch(options, bound(handler))
          })
      }
      const error = yield* Effect.flip(UndiciTransport.make(resending).send(get(url, { method: "POST", body: "{}" })))
      assert.strictEqual(error.delivery, "unknown")
      assert.strictEqual(arrived, 1)
    }).pipe(Effect.scoped)
  )
})

// undici 8 chooses HTTP/2 by default, over which an aborted request can make it run for ever.
it.live.each([
  ["Agent of undici 7", Agent],
  ["Agent of undici 8", Agent8],
  ["EnvHttpProxyAgent of undici 8", EnvHttpProxyAgent8]
] as const)("sends HTTP/1.1 with an %s to a server that offers both", ([, Agent]) =>
  Effect.gen(function* () {
    const { authority, good } = yield* Effect.promise(makeCertificates)
    const server = createSecureServer({ ...good, allowHTTP1: true }, ({ httpVersion }, response) => {
      response.end(httpVersion)
    })
    const agent = new Agent({ connect: { ca: authority.cert } })
    yield* Effect.addFinalizer(() =>
      Effect.promise(async () => {
        await agent.destroy()
        server.close()
      })
    )
    const port = yield* Effect.promise(() => listenOnLoopback(server))
    const { text } = yield* UndiciTransport.make(agent).send(get(`https://127.0.0.1:${port}`))
    assert.strictEqual(text, "1.1")
  }).pipe(Effect.scoped)
)

/** A handler whose methods can be spread. */
const bound = (handler: Parameters<Dispatcher["dispatch"]>[1]): UndiciDispatcher.DispatchHandler => ({
  onRequestStart: (controller) => handler.onRequestStart(controller),
  onResponseStart: (controller, status, headers) => handler.onResponseStart(controller, status, headers),
  onResponseData: (controller, chunk) => handler.onResponseData(controller, chunk),
  onResponseEnd: (controller) => handler.onResponseEnd(controller),
  onResponseError: (controller, error) => handler.onResponseError(controller, error)
})

describe("over a dispatcher of the caller", () => {
  const request: TransportRequest = { method: "GET", url: "http://service.test/v1", headers: {}, body: undefined }
  const controllerOf = (aborts: Array<string>): DispatchController => ({
    abort: (reason) => void aborts.push(reason.message)
  })
  const over = (dispatch: (handler: DispatchHandler) => void) =>
    UndiciTransport.make({
      dispatch: (_, handler) => {
        dispatch(handler)
        return true
      }
    })

  it.live("reads the final response, headers with several values and headers without one", () =>
    Effect.gen(function* () {
      const controller = controllerOf([])
      const response = yield* over((handler) => {
        handler.onRequestStart(controller)
        handler.onResponseStart(controller, 103, { link: "</a>" })
        handler.onResponseStart(controller, 200, { "x-two": ["a", "b"], "x-none": undefined })
        handler.onResponseData(controller, new TextEncoder().encode("one, "))
        handler.onResponseData(controller, new TextEncoder().encode("two"))
        handler.onResponseEnd(controller)
      }).send(request)
      assert.deepStrictEqual(response, {
        status: 200,
        headers: { "x-two": "a, b", "x-none": undefined },
        text: "one, two"
      })
    })
  )

  it.live("fails where the dispatcher ends without a response", () =>
    Effect.gen(function* () {
      const error = yield* Effect.flip(over((handler) => handler.onResponseEnd(controllerOf([]))).send(request))
      assert.isUndefined(error.cause)
      assert.deepInclude({ ...error }, { delivery: "not-sent", isTooLarge: false })
    })
  )

  it.live("aborts a request that is under way when the call is interrupted, and none that ended", () =>
    Effect.gen(function* () {
      const aborts: Array<string> = []
      const started = yield* Effect.forkChild(
        over((handler) => handler.onRequestStart(controllerOf(aborts))).send(request),
        { startImmediately: true }
      )
      yield* Fiber.interrupt(started)
      assert.deepStrictEqual(aborts, ["the call was interrupted"])
      const waiting: Array<DispatchHandler> = []
      const queued = yield* Effect.forkChild(over((handler) => void waiting.push(handler)).send(request), {
        startImmediately: true
      })
      yield* Fiber.interrupt(queued)
      waiting[0]?.onRequestStart(controllerOf(aborts))
      assert.deepStrictEqual(aborts, ["the call was interrupted", "the call was interrupted"])
    })
  )

  it.live("allows a body of exactly the limit, and aborts a larger one", () =>
    Effect.gen(function* () {
      const aborts: Array<string> = []
      const controller = controllerOf(aborts)
      const sending = (parts: number, headers: Readonly<Record<string, string>>) =>
        over((handler) => {
          handler.onRequestStart(controller)
          handler.onResponseStart(controller, 200, headers)
          for (let part = 0; part < parts; part += 1) handler.onResponseData(controller, Buffer.from("xx"))
          handler.onResponseEnd(controller)
        }).send({ ...request, maxResponseBytes: 4 })
      assert.strictEqual((yield* sending(2, { "content-length": "4" })).text, "xxxx")
      assert.deepStrictEqual(aborts, [])
      const error = yield* Effect.flip(sending(3, {}))
      assert.deepInclude({ ...error }, { delivery: "unknown", isTooLarge: true })
      assert.strictEqual(error.partial?.status, 200)
      const announced = yield* Effect.flip(sending(0, { "content-length": "5" }))
      assert.isTrue(announced.isTooLarge)
      assert.deepStrictEqual(aborts, ["the body is too large", "the body is too large"])
    })
  )
})
