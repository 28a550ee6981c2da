import { failedTls, remedyOf } from "../errors/PermanentFailure.ts"

/** The delivery of a request without a response. */
export interface Delivery {
  readonly delivery: "not-sent" | "unknown"
  readonly code?: string
  /** The innermost failure's message, when no failure has a code. Not for logs: it can contain secrets of the request. */
  readonly detail?: string
}

/**
 * Codes of failures that may pass, and that prove that no byte of the request was sent. Permanent failures prove it, too.
 *
 * Resets and closes are not among them: with `fetch`, a reset of a kept-alive connection looks exactly like a reset after
 * the service applied the request. Nor are TLS 1.3 alerts, which may follow the request.
 */
const notSent = new Set([
  // Connection refused; the second name is Bun's.
  "ECONNREFUSED",
  "ConnectionRefused",
  // The name server does not respond.
  "EAI_AGAIN",
  // No file descriptor for a socket.
  "EMFILE",
  "ENFILE",
  // Connect timeout.
  "UND_ERR_CONNECT_TIMEOUT"
])

/** Codes that prove it only when the system call that failed was the connecting one. */
const notSentOnConnect = new Set(["ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "EADDRNOTAVAIL"])

/**
 * Messages of errors without a code that prove it: how Deno describes a failure to connect, the TLS handshake included,
 * a permission that the program does not have, or a URL that is too long, and how undici and Deno refuse a port that browsers block, such as 6667.
 */
const notSentMessage =
  /\bclient error \(Connect\)|^bad port$|^Fetch failed: Requests to port \d+ are blocked$|^Requires net access to |^Invalid URL$/

/** The URL of the request in Deno's messages, which can contain identifiers of people. */
const denoUrl = /^error sending request .*?: (?=client error)| https?:\S+$/

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const provesNotSent = (cause: Readonly<Record<string, unknown>>, code: string): boolean =>
  notSent.has(code) ||
  (remedyOf(code) !== undefined && code !== failedTls) ||
  (cause["syscall"] === "connect" && notSentOnConnect.has(code))

// Deep enough for every platform that is known; a bound because a chain of causes can be a ring.
const maxDepth = 6

/**
 * Whether the cause of a failed exchange proves that nothing was sent. Platforms wrap it, and connecting to several
 * addresses collects several: then all of them must prove it.
 */
export const deliveryOf = (cause: unknown, depth = 0): Delivery => {
  try {
    return deliveryIn(cause, depth)
  } catch {
    // The fields of what a replacement of `fetch` throws can throw themselves.
    return { delivery: "unknown" }
  }
}

const deliveryIn = (cause: unknown, depth: number): Delivery => {
  if (!isObject(cause) || depth > maxDepth) return { delivery: "unknown" }
  const several = cause["errors"]
  if (Array.isArray(several) && several.length > 0) {
    const each = several.map((one: unknown) => deliveryOf(one, depth + 1))
    const code = typeof cause["code"] === "string" ? cause["code"] : each.find((one) => one.code !== undefined)?.code
    const delivery = each.every((one) => one.delivery === "not-sent") ? "not-sent" : "unknown"
    return code === undefined ? { delivery } : { delivery, code }
  }
  const code = cause["code"]
  if (typeof code === "string") {
    return { delivery: provesNotSent(cause, code) ? "not-sent" : "unknown", code }
  }
  const inner = cause["cause"] ?? cause["reason"]
  if (isObject(inner)) return deliveryOf(inner, depth + 1)
  const message = cause["message"]
  if (typeof message !== "string" || message === "") return { delivery: "unknown" }
  const detail = message.replace(denoUrl, "")
  return { delivery: notSentMessage.test(detail) ? "not-sent" : "unknown", detail }
}
