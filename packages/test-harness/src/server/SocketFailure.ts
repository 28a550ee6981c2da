import { STATUS_CODES } from "node:http"
import type { Socket } from "node:net"
import type { Delivery, ConnectionFailure, WireResponse } from "../wire/Delivery.ts"
import { bytesOf } from "../wire/WireBody.ts"

const notHttp = "garbage\r\n\r\n"

/** After valid chunks: an invalid chunk size. */
const invalidChunk = "garbage\r\n"

/** How long to wait for a client to close its side. */
const clientCloseTimeoutMs = 5_000

const closeSide = (socket: Socket, last?: string): void => {
  socket.setTimeout(clientCloseTimeoutMs, () => socket.destroy())
  if (last === undefined) socket.end()
  else socket.end(last)
}

/** Ends a connection before the first byte of the response. */
export const failConnection = (socket: Socket, failure: ConnectionFailure): void => {
  switch (failure) {
    case "reset":
      socket.resetAndDestroy()
      return
    case "close":
      return closeSide(socket)
    case "garbage":
      return closeSide(socket, notHttp)
    case "hang":
  }
}

/** The head of a response, to be written in Latin-1. */
const head = ({ headers, status }: WireResponse, framing: string): string =>
  [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? "Unknown"}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    framing,
    "",
    ""
  ].join("\r\n")

/** Sends the head and the first bytes of a body, then ends the connection. */
export const cutResponse = (
  socket: Socket,
  { afterBytes, response, failure }: Extract<Delivery, { readonly _tag: "Cut" }>
): void => {
  const body = Buffer.from(bytesOf(response.body))
  const sent = body.subarray(0, afterBytes)
  if (failure === "garbage") {
    // Only a body in chunks can break the rules of HTTP.
    socket.write(head(response, "transfer-encoding: chunked"), "latin1")
    if (sent.length > 0) socket.write(`${sent.length.toString(16)}\r\n${sent.toString("latin1")}\r\n`, "latin1")
    return closeSide(socket, invalidChunk)
  }
  socket.write(head(response, `content-length: ${body.length}`), "latin1")
  socket.write(sent, () => failConnection(socket, failure))
}
