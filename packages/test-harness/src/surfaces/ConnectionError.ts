/**
 * The errors of Node's `fetch` for failed connections, built without a connection.
 */
import type { ConnectionFailure } from "../wire/Delivery.ts"

/** The address in the error of a refused connection: a port that is never assigned. */
const refusing = { address: "127.0.0.1", port: 0 } as const

class SocketError extends Error {
  override readonly name = "SocketError"
  readonly code = "UND_ERR_SOCKET"
}

class HTTPParserError extends Error {
  override readonly name = "HTTPParserError"
  readonly code: string | undefined
  constructor(what: string, code: string | undefined) {
    super(`Response does not match the HTTP/1.1 protocol (${what})`)
    this.code = code
  }
}

const systemError = (syscall: string, code: string, where: object = {}): Error =>
  Object.assign(new Error(`${syscall} ${code}`), { code, syscall, ...where })

// Browsers and other runtimes have no such version; they get what the newest Node shows.
const undiciMajor = Number.parseInt(globalThis.process?.versions?.["undici"] ?? "7", 10)
const isOlder = undiciMajor < 7

/** A failure that a client notices. */
export type VisibleFailure = Exclude<ConnectionFailure, "hang"> | "refuse"

const closed = () => new SocketError("other side closed")

const cause = (failure: VisibleFailure): Error => {
  switch (failure) {
    case "refuse": {
      const { address, port } = refusing
      return systemError("connect", "ECONNREFUSED", { message: `connect ECONNREFUSED ${address}:${port}`, ...refusing })
    }
    case "reset":
      return systemError("read", "ECONNRESET")
    case "close":
      return closed()
    case "garbage":
      return isOlder
        ? new HTTPParserError("Expected HTTP/", "HPE_INVALID_CONSTANT")
        : new HTTPParserError("Expected HTTP/, RTSP/ or ICE/", undefined)
  }
}

const causeInBody = (failure: Exclude<VisibleFailure, "refuse">): Error => {
  switch (failure) {
    case "reset":
      return isOlder ? closed() : systemError("read", "ECONNRESET")
    case "close":
      return closed()
    case "garbage":
      return new HTTPParserError("Invalid character in chunk size", isOlder ? "HPE_INVALID_CHUNK_SIZE" : undefined)
  }
}

/** The error of `fetch` when there is no response. */
export const fetchFailed = (failure: VisibleFailure): TypeError =>
  new TypeError("fetch failed", { cause: cause(failure) })

/** The error of reading a body that is incomplete. */
export const terminated = (failure: Exclude<VisibleFailure, "refuse">): TypeError =>
  new TypeError("terminated", { cause: causeInBody(failure) })
