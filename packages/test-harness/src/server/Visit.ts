/**
 * One request that came over a connection, from its first byte to the last of its answer.
 */
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { type ControlRequest, isControlPath } from "../control/ControlApi.ts"
import type { ControlAnswer } from "../control/ControlActions.ts"
import type { Delivery, WireAnswer } from "../request/Delivery.ts"
import type { FakeRequest } from "../request/FakeRequest.ts"
import { type Begun, sendBody } from "../surfaces/BodyPieces.ts"
import type { Door } from "../surfaces/Doors.ts"
import { type Admitted, follow } from "../surfaces/Follow.ts"
import { cutAnswer, endConnection } from "./SocketEnding.ts"

const headerOf = (headers: IncomingHttpHeaders, name: string): string | undefined => {
  const value = headers[name]
  return Array.isArray(value) ? value.join(", ") : value
}

const headersOf = (headers: IncomingHttpHeaders): Iterable<readonly [string, string]> =>
  Object.keys(headers).map((name) => [name, headerOf(headers, name) ?? ""] as const)

/** Path and query as they were sent; proxies send whole URLs. */
const targetOf = (url: string): readonly [path: string, query: string] => {
  if (!url.startsWith("/")) {
    if (!URL.canParse(url)) return [url, ""]
    const { pathname, search } = new URL(url)
    return [pathname, search.slice(1)]
  }
  const mark = url.indexOf("?")
  return mark < 0 ? [url, ""] : [url.slice(0, mark), url.slice(mark + 1)]
}

// The journal keeps requests, so it must not get hold of what a connection is made of.
const fakeRequest = ({ headers, method = "GET", url = "/" }: IncomingMessage, body: string): FakeRequest => {
  const [path, query] = targetOf(url)
  return {
    surface: "server",
    method,
    path,
    query,
    header: (name) => headerOf(headers, name),
    headers: () => headersOf(headers),
    body
  }
}

/** An answer in the making, with the request that it is for. */
type Reply = ServerResponse & { readonly req: IncomingMessage }

const writeHead = (response: ServerResponse, { headers, status }: WireAnswer, bodyLength: number | undefined): void => {
  // The date is the environment's.
  response.sendDate = false
  response.writeHead(status, bodyLength === undefined ? headers : { ...headers, "content-length": String(bodyLength) })
}

const sendWhole = (response: ServerResponse, answer: WireAnswer, { exchange }: Admitted): void => {
  // Bytes, because in front of text Node writes the head in UTF-8 too, and headers are Latin-1.
  const body = answer.body === undefined ? undefined : Buffer.from(answer.body)
  writeHead(response, answer, body?.length)
  response.end(body)
  exchange.answered()
}

const sendSlowly = (response: Reply, delivery: Begun, { clock, exchange }: Admitted): void => {
  const { socket } = response.req
  writeHead(response, delivery.answer, Buffer.byteLength(delivery.answer.body ?? ""))
  response.flushHeaders()
  let stop = () => {}
  const leave = () => {
    stop()
    exchange.abandoned()
  }
  socket.once("close", leave)
  stop = sendBody(delivery, clock, {
    piece: (bytes) => void response.write(bytes),
    end: () => {
      socket.off("close", leave)
      response.end()
      exchange.answered()
    },
    broken: (ending) => endConnection(socket, ending)
  })
}

/** Waits until all answers before this one on its connection are sent: pipelined requests are answered in their order. */
const inTurn = (response: Reply, act: (socket: Socket) => void): void => {
  if (response.socket === null) response.once("socket", act)
  else act(response.socket)
}

const hangs = (delivery: Delivery): boolean => "ending" in delivery && delivery.ending === "hang"

const deliver = (response: Reply, delivery: Delivery, admitted: Admitted): void => {
  if (hangs(delivery)) response.req.socket.once("close", admitted.exchange.abandoned)
  switch (delivery._tag) {
    case "Whole":
      return sendWhole(response, delivery.answer, admitted)
    case "Slow":
      return sendSlowly(response, delivery, admitted)
    case "Cut":
      return inTurn(response, (socket) => cutAnswer(socket, delivery))
    case "Nothing": {
      // Over a connection that there is, the pipeline answers in place of a refusal.
      const ending = delivery.ending === "refuse" ? "reset" : delivery.ending
      return inTurn(response, (socket) => endConnection(socket, ending))
    }
  }
}

/** What visitors come for. */
export interface Service {
  readonly door: Door
  readonly control: (request: ControlRequest) => ControlAnswer
}

const sendControl = (response: ServerResponse, { body, status }: ControlAnswer): void => {
  const text = JSON.stringify(body)
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" })
  response.end(text)
}

/** Does something for a client; what nobody foresaw ends its request, and nothing of others. */
const guarded = (response: Reply, act: () => void): void => {
  try {
    act()
  } catch (error) {
    if (response.headersSent) return void response.req.socket.destroy()
    const message = `The fake failed: ${error instanceof Error ? error.message : String(error)}`
    sendControl(response, { status: 500, body: { message } })
  }
}

/** Lets a request in, and delivers what comes of it to who is still there. */
const exchangeWith = (door: Door, request: FakeRequest, response: Reply): void => {
  const { socket } = response.req
  const admitted = door.admit(request)
  let isOver = false
  const leave = () => abandon()
  const abandon = follow(admitted, (delivery) => {
    isOver = true
    socket.off("close", leave)
    if (!socket.destroyed) guarded(response, () => deliver(response, delivery, admitted))
  })
  if (!isOver) socket.once("close", leave)
}

/** Bytes of a body that nobody is interested in, after which its connection is closed. */
const endurance = 64_000_000

/** Bytes of a body that the control API reads, whatever the environment's switches say about the API. */
const controlLimit = 32_000_000

const tooMuchToControl: ControlAnswer = {
  status: 413,
  body: { message: `The body has more than ${controlLimit} bytes; send it in parts` }
}

/** A body as far as it was read. */
interface ReadBody {
  readonly text: string
  readonly isWhole: boolean
}

/** Processes a request that was read, and answers it. */
const answer = ({ control, door }: Service, response: Reply, { isWhole, text }: ReadBody): void => {
  const request = fakeRequest(response.req, text)
  guarded(response, () => {
    if (isControlPath(request.path)) sendControl(response, isWhole ? control(request) : tooMuchToControl)
    else exchangeWith(door, request, response)
  })
}

const limitFor = ({ door }: Service, { headers, url = "/" }: IncomingMessage): number =>
  isControlPath(targetOf(url)[0]) ? controlLimit : Math.min(door.bodyLimit(headers.authorization), endurance)

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers["transfer-encoding"] !== undefined || (headers["content-length"] ?? "0") !== "0"

/** Takes a request in, and answers it as soon as enough of it was read. */
export const visit = (service: Service, request: IncomingMessage, response: Reply): void => {
  // Who has ended a connection reads no more of it.
  if (request.socket.writableEnded || request.socket.destroyed) return
  if (!hasBody(request)) return answer(service, response, { text: "", isWhole: true })
  const limit = limitFor(service, request)
  const chunks: Array<Buffer> = []
  let size = 0
  let isRead = false
  const read = () => {
    isRead = true
    answer(service, response, { text: Buffer.concat(chunks).toString("utf8"), isWhole: size <= limit })
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
