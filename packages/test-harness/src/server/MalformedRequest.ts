/**
 * Error responses to requests that are not valid HTTP, or too large.
 */
import type { ServerResponse } from "node:http"
import type { Socket } from "node:net"

const responses: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "the head of the request is too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request was not complete in time"]
}

const usual = ["400 Bad Request", "not a valid HTTP request"] as const

/** The responses of each connection that were not sent yet when the latest one began. */
const underWay = new WeakMap<Socket, ReadonlyArray<ServerResponse>>()

const isPending = ({ destroyed, writableFinished }: ServerResponse): boolean => !destroyed && !writableFinished

/** Records that a response will be sent over its connection. */
export const noteResponse = (reply: ServerResponse): void => {
  const { socket } = reply.req
  underWay.set(socket, [...(underWay.get(socket) ?? []).filter(isPending), reply])
}

/** A response to an earlier, complete request of the connection that is not sent yet. */
const pendingReply = (socket: Socket): ServerResponse | undefined =>
  underWay.get(socket)?.find((reply) => reply.req.complete && isPending(reply))

/** Responds to bytes that are not a valid HTTP request, after the responses to earlier requests, and closes the connection. */
export const rejectMalformed = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (!socket.writable) return void socket.destroy()
  const earlier = pendingReply(socket)
  if (earlier !== undefined) return void earlier.once("close", () => rejectMalformed(error, socket))
  const [status, message] = responses[error.code ?? ""] ?? usual
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
