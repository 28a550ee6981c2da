/**
 * Clear answers to what is no HTTP, or too much of it.
 */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

const answers: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "the head of the request is too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request did not come to its end in time"]
}

const usual = ["400 Bad Request", "this is no HTTP request"] as const

const underWay = new WeakMap<Socket, Set<ServerResponse>>()

/** Notes that an answer is to be sent over its connection. */
export const noteResponse = (reply: ServerResponse): void => {
  const { socket } = reply.req
  const others = underWay.get(socket) ?? new Set()
  underWay.set(socket, others.add(reply))
  reply.once("close", () => others.delete(reply))
}

/** Whether an answer to another request is being sent, or is to be sent before. */
const isAnswering = (socket: Socket): boolean => [...(underWay.get(socket) ?? [])].some(({ req }) => req.complete)

/** Answers what Node could not read, where that is what the client would take it for, and closes the connection. */
export const rejectMalformed = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (!socket.writable || isAnswering(socket)) {
    socket.destroy()
    return
  }
  const [status, message] = answers[error.code ?? ""] ?? usual
  const body = JSON.stringify({ message })
  socket.end(
    [
      `HTTP/1.1 ${status}`,
      "content-type: application/json; charset=utf-8",
      `content-length: ${Buffer.byteLength(body)}`,
      "connection: close",
      "",
      body
    ].join("\r\n"),
    () => socket.destroy()
  )
}
