import { listenOnLoopback } from "@signalbox/testing/Loopback"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createServer as createHttpServer, type RequestListener } from "node:http"
import { createSecureServer as createHttp2Server, type ServerHttp2Stream } from "node:http2"
import { createServer as createHttpsServer } from "node:https"
import { connect, createServer, type Server, type Socket } from "node:net"
import type { TlsOptions } from "node:tls"
import { Worker } from "node:worker_threads"

/** Where a server can be reached, as long as its scope is open. */
export type Reached = Effect.Effect<string, never, Scope.Scope>

const listening = (server: Server): Effect.Effect<number, never, Scope.Scope> => {
  const sockets = new Set<Socket>()
  server.on("connection", (socket) => {
    sockets.add(socket)
    // A connection that ends badly is what these servers are for.
    socket.on("error", () => {})
    socket.once("close", () => sockets.delete(socket))
  })
  return Effect.acquireRelease(
    Effect.promise(() => listenOnLoopback(server)),
    () =>
      Effect.sync(() => {
        server.close()
        for (const socket of sockets) socket.destroy()
      })
  )
}

/** A server that does this to every connection, whatever is sent on it. */
export const connections = (onConnection: (socket: Socket) => void): Reached =>
  Effect.map(listening(createServer(onConnection)), (port) => `http://127.0.0.1:${port}`)

/** The same server, called as if it spoke TLS. */
export const secureConnections = (onConnection: (socket: Socket) => void): Reached =>
  Effect.map(connections(onConnection), (url) => url.replace("http:", "https:"))

const onceRead =
  (onRequest: RequestListener): RequestListener =>
  (request, response) => {
    request.resume().once("end", () => onRequest(request, response))
  }

/** A server that does this to every request, once all of it was read. */
export const requests = (onRequest: RequestListener): Reached =>
  Effect.map(listening(createHttpServer(onceRead(onRequest))), (port) => `http://127.0.0.1:${port}`)

/** The same server over TLS with these options. */
export const secureRequests = (options: TlsOptions, onRequest: RequestListener = () => {}): Reached =>
  Effect.map(listening(createHttpsServer(options, onceRead(onRequest))), (port) => `https://127.0.0.1:${port}`)

/** A server that does this to every request over HTTP/2. */
export const streams = (options: TlsOptions, onStream: (stream: ServerHttp2Stream) => void): Reached =>
  Effect.map(
    listening(
      createHttp2Server(options).on("stream", (stream) => {
        stream.on("error", () => {})
        stream.resume().once("end", () => onStream(stream))
      })
    ),
    (port) => `https://127.0.0.1:${port}`
  )

const connected = (port: number): Effect.Effect<Socket, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const socket = connect(port, "127.0.0.1", () => resume(Effect.succeed(socket)))
      socket.on("error", () => {})
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** A port on which nothing listens, and which no other process can get: the local end of a connection. */
export const refusing: Reached = Effect.gen(function* () {
  const { localPort } = yield* connected(yield* listening(createServer()))
  return `http://127.0.0.1:${localPort}`
})

const queueLength = 1

// A separate thread that listens and then blocks: no connection leaves the system's queue.
const neverAccepting = `
const { parentPort } = require("node:worker_threads")
const server = require("node:net").createServer()
server.listen({ port: 0, host: "127.0.0.1", backlog: ${queueLength} }, () => {
  parentPort.postMessage(server.address().port)
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
})
`

/**
 * A port on which connecting neither succeeds nor fails, because the queue of connections is full. Linux drops what comes
 * then; other systems may refuse it.
 */
export const fullQueue: Reached = Effect.gen(function* () {
  const worker = yield* Effect.acquireRelease(
    Effect.sync(() => new Worker(neverAccepting, { eval: true })),
    (worker) => Effect.promise(() => worker.terminate())
  )
  const port = yield* Effect.callback<number>((resume) => {
    worker.once("message", (port: number) => resume(Effect.succeed(port)))
  })
  // Linux queues one connection more than requested.
  yield* Effect.replicateEffect(connected(port), queueLength + 1)
  return `http://127.0.0.1:${port}`
})
