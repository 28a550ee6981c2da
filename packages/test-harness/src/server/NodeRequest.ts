/**
 * One request over a connection, from its first byte to the last byte of its response.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { brotliDecompressSync, gunzipSync, inflateSync, type ZlibOptions } from "node:zlib"
import { type ControlRequest, isControlPath } from "../control/ControlApi.ts"
import type { ControlResponse } from "../control/ControlActions.ts"
import type { Delivery, WireResponse } from "../wire/Delivery.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import { bytesOf, type WireBody } from "../wire/WireBody.ts"
import { type Begun, sendBody } from "../surfaces/BodyDelivery.ts"
import type { EntryPoint } from "../surfaces/EntryPoint.ts"
import { type Admitted, follow } from "../surfaces/Follow.ts"
import { cutResponse, failConnection } from "./SocketFailure.ts"

/** How many bytes of an unwanted body are discarded before the connection is closed, and of a compressed one are read. */
const endurance = 64_000_000

const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(", ") : value
}

const headersOf = (headers: IncomingHttpHeaders): Iterable<readonly [string, string]> =>
  Object.keys(headers).map((name) => [name, headerOf(headers, name) ?? ""] as const)

/** Path and query verbatim; proxies send whole URLs. */
const targetOf = (url: string): readonly [path: string, query: string] => {
  if (!url.startsWith("/")) {
    if (!URL.canParse(url)) return [url, ""]
    const { pathname, search } = new URL(url)
    return [pathname, search.slice(1)]
  }
  // A fragment is no part of a request, but a client can send one.
  const [target = ""] = url.split("#", 1)
  const mark = target.indexOf("?")
  return mark < 0 ? [target, ""] : [target.slice(0, mark), target.slice(mark + 1)]
}

const decompress: Readonly<Record<string, (bytes: Buffer, options: ZlibOptions) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync
}

/** A body that its client compressed; `undefined` if it was not, or not in this way. */
const decompressed = ({ headers }: IncomingMessage, bytes: Buffer): Buffer | undefined => {
  try {
    return decompress[headers["content-encoding"] ?? ""]?.(bytes, { maxOutputLength: endurance })
  } catch {
    return undefined
  }
}

// The journal keeps requests, so they must not reference the objects of a connection.
const fakeRequest = (incoming: IncomingMessage, bytes: Buffer): FakeRequest => {
  const { headers, method = "GET", url = "/" } = incoming
  const [path, query] = targetOf(url)
  const plain = decompressed(incoming, bytes)
  return {
    surface: "server",
    method,
    path,
    query,
    // A decompressed body has no encoding any more.
    header: (name) => (name === "content-encoding" && plain !== undefined ? undefined : headerOf(headers, name)),
    headers: () => headersOf(headers),
    body: (plain ?? bytes).toString("utf8")
  }
}

type Reply = ServerResponse & { readonly req: IncomingMessage }

const writeHead = (reply: ServerResponse, { headers, status }: WireResponse, bodyLength: number | undefined): void => {
  // The date is the environment's.
  reply.sendDate = false
  reply.writeHead(status, bodyLength === undefined ? headers : { ...headers, "content-length": String(bodyLength) })
}

/** Characters of a body that is cheaper to send as a string. */
const fewCharacters = 4_000

/** A body as what is cheapest to send: a short one in ASCII as a string, any other as its bytes. */
const sendable = (body: WireBody): string | Uint8Array => {
  if (body.length > fewCharacters) return body.bytes()
  const text = body.text()
  return Buffer.byteLength(text) === text.length ? text : body.bytes()
}

const sendWhole = (reply: ServerResponse, response: WireResponse, { exchange }: Admitted): void => {
  const body = response.body && sendable(response.body)
  writeHead(reply, response, body?.length)
  // Node sends a string as Latin-1 in one write with the head.
  reply.end(body, "latin1")
  exchange.answered()
}

const sendSlowly = (reply: Reply, delivery: Begun, { clock, exchange }: Admitted): void => {
  const { socket } = reply.req
  writeHead(reply, delivery.response, bytesOf(delivery.response.body).length)
  reply.flushHeaders()
  let stop = () => {}
  const leave = () => {
    stop()
    exchange.abandoned()
  }
  socket.once("close", leave)
  stop = sendBody(delivery, clock, {
    piece: (bytes) => void reply.write(bytes),
    end: () => {
      socket.off("close", leave)
      reply.end()
      exchange.answered()
    },
    broken: (failure) => failConnection(socket, failure)
  })
}

/** Waits until all earlier responses on the connection are sent: pipelined requests get their responses in order. */
const inTurn = (reply: Reply, act: (socket: Socket) => void): void => {
  if (reply.socket === null) reply.once("socket", act)
  else act(reply.socket)
}

const hangs = (delivery: Delivery): boolean => "failure" in delivery && delivery.failure === "hang"

const deliver = (reply: Reply, delivery: Delivery, admitted: Admitted): void => {
  if (hangs(delivery)) reply.req.socket.once("close", admitted.exchange.abandoned)
  switch (delivery._tag) {
    case "Whole":
      return sendWhole(reply, delivery.response, admitted)
    case "Slow":
      return sendSlowly(reply, delivery, admitted)
    case "Cut":
      return inTurn(reply, (socket) => cutResponse(socket, delivery))
    case "NoResponse": {
      // A client that is already connected cannot be refused, so the pipeline responds with 500 instead.
      const failure = delivery.failure === "refuse" ? "reset" : delivery.failure
      return inTurn(reply, (socket) => failConnection(socket, failure))
    }
  }
}

export interface Service {
  readonly entryPoint: EntryPoint
  readonly control: (request: ControlRequest) => ControlResponse | Promise<ControlResponse>
}

export const sendControl = (reply: ServerResponse, { body, status }: ControlResponse): void => {
  const text = JSON.stringify(body)
  reply.writeHead(status, { "content-type": "application/json; charset=utf-8" })
  reply.end(text)
}

/** Runs work for a client; an unexpected error ends its request and affects no other. */
const guarded = (reply: Reply, act: () => void): void => {
  try {
    act()
  } catch (error) {
    if (reply.headersSent) return void reply.req.socket.destroy()
    const message = `The fake failed: ${error instanceof Error ? error.message : String(error)}`
    sendControl(reply, { status: 500, body: { message } })
  }
}

/** Sends a response that takes time; errors have become responses already. */
const awaitControl = async (reply: Reply, controlled: Promise<ControlResponse>): Promise<void> => {
  const response = await controlled
  if (!reply.req.socket.destroyed) guarded(reply, () => sendControl(reply, response))
}

/** Accepts a request and delivers the response if the client is still connected. */
const exchangeWith = (entryPoint: EntryPoint, request: FakeRequest, reply: Reply): void => {
  const { socket } = reply.req
  const admitted = entryPoint.admit(request)
  let isOver = false
  const leave = () => abandon()
  const abandon = follow(admitted, (delivery) => {
    isOver = true
    socket.off("close", leave)
    if (!socket.destroyed) guarded(reply, () => deliver(reply, delivery, admitted))
  })
  if (!isOver) socket.once("close", leave)
}

/** The maximum size of a control API body in bytes, independent of the environment's switches. */
const controlLimit = 32_000_000

const tooMuchToControl: ControlResponse = {
  status: 413,
  body: { message: `The body has more than ${controlLimit} bytes; send it in parts` }
}

interface ReadBody {
  readonly bytes: Buffer
  readonly isWhole: boolean
}

/** Processes a request whose body was read, and responds to it. */
const response = ({ control, entryPoint }: Service, reply: Reply, { bytes, isWhole }: ReadBody): void => {
  const request = fakeRequest(reply.req, bytes)
  guarded(reply, () => {
    if (!isControlPath(request.path)) return exchangeWith(entryPoint, request, reply)
    const controlled = isWhole ? control(request) : tooMuchToControl
    if (controlled instanceof Promise) void awaitControl(reply, controlled)
    else sendControl(reply, controlled)
  })
}

const limitFor = ({ entryPoint }: Service, { headers, url = "/" }: IncomingMessage): number =>
  isControlPath(targetOf(url)[0]) ? controlLimit : Math.min(entryPoint.bodyLimit(headers.authorization), endurance)

const noBytes = Buffer.of()

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Receives a request, and responds as soon as enough of it was read. */
export const visit = (service: Service, request: IncomingMessage, reply: Reply): void => {
  // Nothing more is read from a connection that was closed.
  if (request.socket.writableEnded || request.socket.destroyed) return
  if (!hasBody(request)) return response(service, reply, { bytes: noBytes, isWhole: true })
  const limit = limitFor(service, request)
  const chunks: Array<Buffer> = []
  let size = 0
  let isRead = false
  const read = () => {
    isRead = true
    const [first = noBytes, ...others] = chunks
    const bytes = others.length === 0 ? first : Buffer.concat(chunks)
    response(service, reply, { bytes, isWhole: size <= limit })
  }
  request.on("data", (chunk: Buffer) => {
    size += chunk.length
    if (size > endurance) request.socket.destroy()
    if (isRead) return
    chunks.push(chunk)
    if (size > limit) read()
  })
  request.once("end", () => {
    if (!isRead) read()
  })
}
