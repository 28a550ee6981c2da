/**
 * A fake over HTTP on loopback.
 */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo, Socket } from "node:net"
import * as Schema from "effect/Schema"
import { control } from "./control/ControlApi.ts"
import type { Fake } from "./Fake.ts"
import { inputCheck, integer, NonEmpty } from "./Input.ts"
import { rejectMalformed, noteResponse } from "./server/MalformedRequest.ts"
import { type Service, visit } from "./server/NodeRequest.ts"
import { entryPointOf } from "./surfaces/EntryPoint.ts"

export { readPreset } from "./executable/PresetFile.ts"
export { whenPackageManagerEnds } from "./server/PackageManager.ts"

/** Options of {@link listen}. */
export interface ListenOptions {
  /** Default 0, any free port. */
  readonly port?: number
  /** Default loopback. */
  readonly host?: string
  /** Web pages of this origin may use the API and the control API, such as `http://localhost:3000`. Default: none. */
  readonly allowOrigin?: string
}

/** A fake that is reached over HTTP. */
export interface FakeServer extends AsyncDisposable {
  /** Base URL for clients, without a trailing slash. */
  readonly url: string
  readonly port: number
  /** Closes all connections and stops listening, so that connections are refused until {@link FakeServer.up}. */
  readonly down: () => Promise<void>
  /** Listens again on the same port. Rejects if another program has taken it. */
  readonly up: () => Promise<void>
  /** Closes all connections and stops listening. */
  readonly close: () => Promise<void>
}

const check = inputCheck(
  "listen",
  Schema.Struct({
    port: Schema.optionalKey(integer(0, 65_535)),
    // An empty host would be every address of the machine.
    allowOrigin: Schema.optionalKey(NonEmpty),
    host: Schema.optionalKey(NonEmpty.annotate({ expected: "a host name or an address, such as 127.0.0.1" }))
  })
)

/** Lets pages of an origin read responses; true if the request was a preflight, which is then complete. */
const allowFor = (origin: string, { headers, method }: IncomingMessage, reply: ServerResponse): boolean => {
  if (headers.origin !== origin) return false
  reply.setHeader("access-control-allow-origin", origin)
  reply.setHeader("access-control-expose-headers", "*")
  reply.setHeader("vary", "origin")
  if (method !== "OPTIONS" || headers["access-control-request-method"] === undefined) return false
  reply.setHeader("access-control-allow-methods", "GET, POST, PATCH, DELETE")
  reply.setHeader("access-control-allow-headers", headers["access-control-request-headers"] ?? "")
  reply.writeHead(204).end()
  return true
}

/**
 * Serves a fake over HTTP on loopback.
 *
 * Every fault looks real on the wire, with one exception: a client that is already connected cannot be refused. A `refuse`
 * fault responds with 500 and a message that says so; use `down()` and `up()` instead.
 *
 * @throws TypeError for any value that `createFake` did not return, and RangeError for an invalid option.
 * @example
 * ```ts
 * import { createFake } from "@signalbox/test-harness"
 * import { listen } from "@signalbox/test-harness/server"
 *
 * await using server = await listen(createFake(), { port: 0 })
 * server.url // => "http://127.0.0.1:…"
 * ```
 */
export const listen = async (fake: Fake, options: ListenOptions = {}): Promise<FakeServer> => {
  check(options)
  const { allowOrigin, host = "127.0.0.1", port: wanted = 0 } = options
  const service: Service = {
    entryPoint: entryPointOf(fake),
    control: (request) => control(fake, { host, allowOrigin }, request)
  }
  const server = createServer((request, reply) => {
    noteResponse(reply)
    if (allowOrigin !== undefined && allowFor(allowOrigin, request, reply)) return
    visit(service, request, reply)
  })
  const sockets = new Set<Socket>()
  server.on("clientError", rejectMalformed)
  server.on("connection", (socket) => {
    sockets.add(socket)
    // One listener for each delayed request.
    socket.setMaxListeners(0)
    socket.once("close", () => sockets.delete(socket))
  })

  const open = (port: number) =>
    new Promise<number>((resolve, reject) => {
      server.once("error", reject)
      server.listen(port, host, () => {
        server.off("error", reject)
        // A TCP server that listens has an address of this form.
        resolve((server.address() as AddressInfo).port)
      })
    })
  const down = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      for (const socket of sockets) socket.destroy()
    })

  const port = await open(wanted)
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    port,
    down,
    up: async () => {
      if (!server.listening) await open(port)
    },
    close: down,
    [Symbol.asyncDispose]: down
  }
}
