import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { event } from "../Sample.ts"

/** A request as the service received it. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly key: string
  readonly body: string
}

/** How the service answers one request. */
export type Answer = (response: ServerResponse, request: Received) => void

/** A service on loopback whose answer the test changes while the program runs. */
export interface Service extends Disposable {
  readonly url: string
  readonly host: string
  readonly answer: (next: Answer) => void
  /** Closes the connections that clients keep. */
  readonly closeConnections: () => void
  /** Every request so far, oldest first. */
  readonly received: ReadonlyArray<Received>
  /** The requests that would have changed something. */
  readonly writes: () => ReadonlyArray<Received>
}

const bodyOf = async (request: IncomingMessage): Promise<string> => {
  request.setEncoding("utf8")
  let body = ""
  for await (const chunk of request) body += String(chunk)
  return body
}

/** Opens a service. */
export const serve = async (answer: Answer): Promise<Service> => {
  let current = answer
  const received: Array<Received> = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await bodyOf(request)
    const { method = "", url = "", headers } = request
    received.push({ method, url, key: headers.authorization ?? "", body })
    current(response, { method, url, key: headers.authorization ?? "", body })
  }
  const server = createServer((request, response) => {
    // A client that goes away in the middle of its request is no fault of the test.
    take(request, response).catch(() => response.destroy())
  })
  const port = await listenOnLoopback(server)
  const host = `127.0.0.1:${port}`
  return {
    url: `http://${host}`,
    host,
    received,
    writes: () => received.filter(({ method }) => method !== "GET"),
    answer: (next) => {
      current = next
    },
    closeConnections: () => server.closeAllConnections(),
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
    }
  }
}

const send = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
) => {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": "req-4711", ...headers })
  response.end(JSON.stringify(body))
}

/** A page of `count` events; every second event failed. */
export const page =
  (count: number): Answer =>
  (response) => {
    const data = Array.from({ length: count }, (_, index) => event(index, { fails: index % 2 === 1 }))
    send(response, 200, { data, hasMore: false, page: 0, pageSize: 50 })
  }

/** The page that a request asks for, of pages with these numbers of new events above three that were there before. */
export const growing =
  (counts: ReadonlyArray<number>): Answer =>
  (response, { url }) => {
    const at = Number(new URL(url, "http://service").searchParams.get("page"))
    const newer = counts.slice(0, at).reduce((sum, count) => sum + count, 0)
    const data = Array.from({ length: counts[at] ?? 0 }, (_, index) => event(index + newer - 200))
    send(response, 200, { data, hasMore: at < counts.length - 1, page: at, pageSize: 50 })
  }

/** A refusal with a request id. */
export const refuse =
  (status: number, body: object, headers?: Readonly<Record<string, string>>): Answer =>
  (response) =>
    send(response, status, body, headers)

/** The end of the connection instead of an answer. */
export const hangUp: Answer = (response) => response.socket?.destroy()

/** A mark that answers with the messages that it names. */
export const markMessages: Answer = (response, { body }) => {
  const { messageId, markAs } = JSON.parse(body)
  const ids: ReadonlyArray<string> = Array.isArray(messageId) ? messageId : [messageId]
  const messages = ids.map((_id) => ({
    _id,
    _environmentId: "e",
    _organizationId: "o",
    _notificationId: "n",
    _subscriberId: "s",
    createdAt: "2026-11-21T12:00:00.000Z",
    transactionId: "txn",
    channel: "in_app",
    read: markAs === "read",
    seen: markAs === "read",
    status: "sent",
    cta: {}
  }))
  send(response, 201, messages)
}

/** Reads get the page, writes get the other answer. */
export const reading =
  (reads: Answer, writes: Answer): Answer =>
  (response, request) =>
    (request.method === "GET" ? reads : writes)(response, request)
