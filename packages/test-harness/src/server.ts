/**
 * A fake over HTTP on loopback.
 */
import type { IncomingMessage, ServerResponse } from "node:http"
import * as Schema from "effect/Schema"
import type { CheckOptions } from "./check/CheckClient.ts"
import { checkServed } from "./check/CheckCommand.ts"
import type { CheckReport } from "./check/CheckReport.ts"
import type { Availability } from "./control/ControlActions.ts"
import { control, isControlPath, isFromPage, type Listening, rejectedPage } from "./control/ControlApi.ts"
import { liveEventsPath } from "./control/LiveView.ts"
import type { Fake } from "./environment/Fake.ts"
import { inputCheck, integer, NonEmpty } from "./input/Input.ts"
import { type Handling, makeListener } from "./server/Listener.ts"
import { sendLiveEvents } from "./server/LiveEvents.ts"
import { sendControl, type Service, visit } from "./server/NodeRequest.ts"
import { isPagePath, sendPage } from "./server/PageFiles.ts"
import { entryPointOf } from "./surfaces/EntryPoint.ts"

export { readPreset } from "./server/PresetFile.ts"
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

const check = inputCheck("listen", () =>
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

const rejectWhileDown = (reply: ServerResponse): void => {
  const body = JSON.stringify({ message: "The API is down; only the control API responds here, until POST /_fake/up" })
  reply.writeHead(503, { "content-type": "application/json; charset=utf-8" }).end(body)
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
  const urlOf = (port: number) => `http://${host.includes(":") ? `[${host}]` : host}:${port}`
  const listening: Listening = { host, allowOrigin }
  const entryPoint = entryPointOf(fake)
  const service: Service = {
    entryPoint,
    control: (request) => control({ fake, availability }, listening, request)
  }
  const follow = ({ headers }: IncomingMessage, reply: ServerResponse): void => {
    const header = (name: string) => headers[name]?.toString()
    if (isFromPage(header, listening)) sendControl(reply, rejectedPage)
    else sendLiveEvents(fake, reply)
  }
  const visitUnless = (isRejected: (request: IncomingMessage) => boolean): Handling => ({
    isLast: ({ url = "" }) => /^\/_fake\/(?:down|up)$/u.test(url),
    handle: (request, reply) => {
      if (allowOrigin !== undefined && allowFor(allowOrigin, request, reply)) return
      if (isRejected(request)) return rejectWhileDown(reply)
      if (request.method === "GET" && isPagePath(request.url ?? "")) return void sendPage(request.url ?? "", reply)
      if (request.method === "GET" && request.url === liveEventsPath) return follow(request, reply)
      visit(service, request, reply)
    }
  })
  const listener = makeListener(
    host,
    visitUnless(() => false)
  )
  /** The control API while the API is down. */
  const controlListener = makeListener(
    host,
    visitUnless(({ url = "" }) => !isControlPath(url))
  )
  let controlPort = 0

  const port = await listener.open(wanted)
  const url = urlOf(port)
  entryPoint.servers.add(url)
  const up = async () => {
    if (!listener.isOpen()) await listener.open(port)
    if (controlListener.isOpen()) controlListener.refuse()
  }
  const availability: Availability = {
    down: async () => {
      if (!controlListener.isOpen()) controlPort = await controlListener.open(0)
      if (listener.isOpen()) listener.refuse()
      return urlOf(controlPort)
    },
    up
  }
  const close = async () => {
    entryPoint.servers.delete(url)
    await Promise.all([listener.close(), controlListener.close()])
  }
  return { url, port, down: listener.close, up, close, [Symbol.asyncDispose]: close }
}

/**
 * Checks a client that is a program in any language, like `signalbox-fake check -- COMMAND`.
 *
 * **Details**: the program is started once for each generated program, with `SIGNALBOX_BASE_URL`, `SIGNALBOX_API_KEY` and
 * `SIGNALBOX_VENDOR` in its environment. It reads one call on each line of its standard input, as JSON, and writes one
 * line with the outcome: `{"outcome": "ok"}`, `"failed"` or `"unknown"`. Time is real.
 *
 * @throws CheckFailed with the smallest program for each rule that the client broke.
 * @example
 * ```ts
 * import { checkCommand } from "@signalbox/test-harness/server"
 *
 * const check = () => checkCommand(["python3", "client.py"], { runs: 50 })
 * ```
 */
export const checkCommand = (command: ReadonlyArray<string>, options: CheckOptions = {}): Promise<CheckReport> =>
  checkServed(listen, command, options)
