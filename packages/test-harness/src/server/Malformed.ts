/**
 * Clear answers to what is no HTTP, or too much of it.
 */
import type { Socket } from "node:net"

const answers: Readonly<Record<string, readonly [status: string, message: string]>> = {
  HPE_HEADER_OVERFLOW: ["431 Request Header Fields Too Large", "the head of the request is too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["408 Request Timeout", "the request did not come to its end in time"]
}

const usual = ["400 Bad Request", "this is no HTTP request"] as const

/** Answers what Node could not read, and closes the connection. */
export const answerMalformed = (error: NodeJS.ErrnoException, socket: Socket): void => {
  if (!socket.writable) {
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
