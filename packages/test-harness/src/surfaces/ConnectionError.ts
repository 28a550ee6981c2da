/**
 * The errors that Node's `fetch` gives when a connection fails, built where there is no connection.
 */
import type { ConnectionFailure } from "../request/Delivery.ts"

/** Where nobody listens, as it stands in the error: a port that is never given out. */
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

/** An failure that a client notices. */
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

/** What `fetch` rejects with when there is no answer. */
export const fetchFailed = (failure: VisibleFailure): TypeError =>
  new TypeError("fetch failed", { cause: cause(failure) })

/** What reading a body rejects with when it breaks off. */
export const terminated = (failure: Exclude<VisibleFailure, "refuse">): TypeError =>
  new TypeError("terminated", { cause: causeInBody(failure) })
