import type { Reason } from "../../src/errors/Reason.ts"
import { connectionError } from "../transport/Transport.ts"

/** The kinds of call that differ in what may be retried. */
export const callKinds = [
  "events.list",
  "messages.markAs",
  "credentials.upsert",
  "credentials.upsert with device tokens",
  "credentials.upsert with device tokens, keys honoured"
] as const
export type CallKind = (typeof callKinds)[number]

/** Which kinds of call are retried. */
export type Retried = "all" | "none" | "harmless"

/** One row of the table: the response, the reason of the error, and whether the call is retried. */
export interface Outcome {
  /** The response, in words. */
  readonly response: string
  readonly respond: (key: string) => Response | Error | "never"
  readonly reason: Reason["_tag"]
  /** The reason of writes, where it differs. */
  readonly writeReason?: Reason["_tag"]
  readonly retried: Retried
  /** Which writes are retried, where it differs. */
  readonly writeRetried?: Retried
  /** Whether the response announces a wait, which costs the call time and no retry. */
  readonly isAnnounced?: true
  /** Whether a write may have been applied, where `retried` implies something else. */
  readonly mayHaveBeenApplied?: boolean
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    Response.json(body, { status, headers })

const plain =
  (status: number, headers: Record<string, string> = {}, body: string | null = null) =>
  () =>
    new Response(body, { status, headers })

const html = "<!DOCTYPE html><html><head><title>Bad gateway</title></head><body>nginx</body></html>"

/** A response whose body breaks off. */
const cutOff =
  (status: number, headers: Record<string, string> = {}) =>
  () =>
    new Response(new ReadableStream({ pull: (body) => body.error(connectionError("ECONNRESET")) }), {
      status,
      headers: { "content-type": "application/json", ...headers }
    })

const unreachable = [
  ["ECONNREFUSED", "connection refused"],
  ["EAI_AGAIN", "name server does not respond"],
  ["EMFILE", "no file descriptor for a socket"],
  ["UND_ERR_CONNECT_TIMEOUT", "connect timeout"]
] as const

const permanent = [
  ["ENOTFOUND", "name not found"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate rejected"],
  ["CERT_HAS_EXPIRED", "certificate expired"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate for another name"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "the server does not use TLS"]
] as const

const unknown = [
  ["ECONNRESET", "connection reset"],
  ["UND_ERR_SOCKET", "connection closed"],
  ["EPIPE", "connection closed while writing"],
  ["HPE_INVALID_CONSTANT", "garbage instead of HTTP"],
  ["ETIMEDOUT", "connection timed out"],
  ["ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED", "TLS alert that may follow the request"]
] as const

/** The whole table, by status and then by headers and body. */
export const outcomes: ReadonlyArray<Outcome> = [
  ...unreachable.map(([code, words]): Outcome => ({
    response: `none: ${words} (\`${code}\`)`,
    respond: () => connectionError(code),
    reason: "TransportFailure",
    retried: "all"
  })),
  ...permanent.map(([code, words]): Outcome => ({
    response: `none: ${words} (\`${code}\`)`,
    respond: () => connectionError(code),
    reason: "TransportFailure",
    retried: "none"
  })),
  ...unknown.map(([code, words]): Outcome => ({
    response: `none: ${words} (\`${code}\`)`,
    respond: () => connectionError(code),
    reason: "TransportFailure",
    retried: "harmless"
  })),
  {
    response: "none: error without a code",
    respond: () => connectionError(),
    reason: "TransportFailure",
    retried: "harmless"
  },
  { response: "none before the attempt's timeout", respond: () => "never", reason: "Timeout", retried: "harmless" },
  {
    response: "302",
    respond: plain(302, { location: "http://other.test" }),
    reason: "UnexpectedStatus",
    retried: "none",
    mayHaveBeenApplied: true
  },
  { response: "304", respond: plain(304), reason: "UnexpectedStatus", retried: "none", mayHaveBeenApplied: true },
  {
    response: "400 with a message",
    respond: json(400, { statusCode: 400, message: "SubscriberId: x not found", error: "Bad Request" }),
    reason: "Rejected",
    retried: "none"
  },
  { response: "400 with an empty body", respond: plain(400), reason: "Rejected", retried: "none" },
  { response: "401", respond: json(401, { message: "API Key not found" }), reason: "Unauthorized", retried: "none" },
  { response: "402", respond: json(402, { message: "retention" }), reason: "PaymentRequired", retried: "none" },
  { response: "403", respond: json(403, {}), reason: "Forbidden", retried: "none" },
  { response: "404", respond: json(404, { message: "Subscriber x not found" }), reason: "NotFound", retried: "none" },
  { response: "404 whose body breaks off", respond: cutOff(404), reason: "NotFound", retried: "none" },
  { response: "405", respond: plain(405), reason: "Rejected", retried: "none" },
  { response: "408", respond: plain(408), reason: "Rejected", retried: "harmless" },
  {
    response: "409 with `Retry-After`",
    respond: json(409, { message: "in progress" }, { "retry-after": "1" }),
    reason: "Conflict",
    writeReason: "RequestInFlight",
    retried: "none",
    writeRetried: "all",
    mayHaveBeenApplied: true
  },
  { response: "409 without `Retry-After`", respond: json(409, {}), reason: "Conflict", retried: "none" },
  {
    response: "409 with `X-Should-Retry: true`",
    respond: json(409, {}, { "x-should-retry": "true" }),
    reason: "Conflict",
    retried: "all"
  },
  { response: "410", respond: plain(410), reason: "Rejected", retried: "none" },
  { response: "413", respond: plain(413, {}, html), reason: "PayloadTooLarge", retried: "none" },
  { response: "414", respond: plain(414), reason: "Rejected", retried: "none" },
  { response: "415", respond: plain(415), reason: "Rejected", retried: "none" },
  {
    response: "422 with `errors.general`",
    respond: json(422, {
      message: "Validation Error",
      errors: { general: { messages: ["limit must be"], value: "" } }
    }),
    reason: "Rejected",
    retried: "none"
  },
  {
    response: "422 with `errors` by field",
    respond: json(422, { message: "Validation failed", errors: { channels: { messages: ["bad"], value: "x" } } }),
    reason: "Rejected",
    retried: "none"
  },
  {
    response: "422 without field errors, whose message names the key",
    respond: (key) =>
      Response.json({ message: `Request with key "${key}" is being reused for a different body` }, { status: 422 }),
    reason: "Rejected",
    writeReason: "IdempotencyKeyReused",
    retried: "none"
  },
  {
    response: "422 as a problem document",
    respond: json(422, { title: "Invalid", detail: "no", "invalid-params": [{ name: "limit", reason: "too large" }] }),
    reason: "Rejected",
    retried: "none"
  },
  { response: "425", respond: plain(425), reason: "Rejected", retried: "all" },
  {
    response: "429 without `Retry-After` or `RateLimit-Reset`",
    respond: plain(429),
    reason: "RateLimited",
    retried: "all"
  },
  {
    response: "429 with `Retry-After` that fits the deadline",
    respond: plain(429, { "retry-after": "2" }),
    reason: "RateLimited",
    retried: "all",
    isAnnounced: true
  },
  {
    response: "429 with `Retry-After` beyond the deadline",
    respond: plain(429, { "retry-after": "3600" }),
    reason: "RateLimited",
    retried: "none"
  },
  {
    response: "429 with `RateLimit-Reset` only",
    respond: plain(429, { "ratelimit-reset": "3" }),
    reason: "RateLimited",
    retried: "all",
    isAnnounced: true
  },
  {
    response: "429 whose body breaks off",
    respond: cutOff(429, { "retry-after": "1" }),
    reason: "RateLimited",
    retried: "all",
    isAnnounced: true
  },
  {
    response: "429 with `X-Should-Retry: false`",
    respond: plain(429, { "retry-after": "1", "x-should-retry": "false" }),
    reason: "RateLimited",
    retried: "none"
  },
  { response: "499", respond: plain(499), reason: "Rejected", retried: "none" },
  { response: "500", respond: json(500, { message: "contact support" }), reason: "ServerFailure", retried: "harmless" },
  {
    response: "500 with `Idempotency-Replay: true`",
    respond: json(500, {}, { "idempotency-replay": "true" }),
    reason: "ServerFailure",
    retried: "none",
    mayHaveBeenApplied: true
  },
  {
    response: "503 with `Idempotency-Replay: true`",
    respond: json(503, {}, { "idempotency-replay": "true" }),
    reason: "ServerFailure",
    retried: "none",
    mayHaveBeenApplied: true
  },
  { response: "501", respond: plain(501), reason: "ServerFailure", retried: "none", mayHaveBeenApplied: true },
  {
    response: "501 with `X-Should-Retry: true`",
    respond: plain(501, { "x-should-retry": "true" }),
    reason: "ServerFailure",
    retried: "harmless"
  },
  {
    response: "502 with an HTML page labeled as JSON",
    respond: plain(502, { "content-type": "application/json" }, html),
    reason: "ServerFailure",
    retried: "harmless"
  },
  {
    response: "503 with `X-Should-Retry: false`",
    respond: plain(503, { "x-should-retry": "false" }),
    reason: "ServerFailure",
    retried: "none",
    mayHaveBeenApplied: true
  },
  {
    response: "503 with `Idempotency-Replay: true` and `X-Should-Retry: true`",
    respond: plain(503, { "idempotency-replay": "true", "x-should-retry": "true" }),
    reason: "ServerFailure",
    retried: "none",
    mayHaveBeenApplied: true
  },
  {
    response: "503 with `Retry-After` that fits the deadline",
    respond: plain(503, { "retry-after": "1" }),
    reason: "ServerFailure",
    retried: "harmless",
    isAnnounced: true
  },
  {
    response: "504 with a truncated body",
    respond: plain(504, {}, '{"mess'),
    reason: "ServerFailure",
    retried: "harmless"
  },
  { response: "505", respond: plain(505), reason: "ServerFailure", retried: "none", mayHaveBeenApplied: true },
  {
    response: "200 with an HTML page",
    respond: plain(200, {}, html),
    reason: "MalformedResponse",
    retried: "none",
    mayHaveBeenApplied: true
  },
  {
    response: "200 with an empty body",
    respond: plain(200),
    reason: "MalformedResponse",
    retried: "none",
    mayHaveBeenApplied: true
  },
  {
    response: "200 with truncated JSON",
    respond: plain(200, {}, '{"data":['),
    reason: "MalformedResponse",
    retried: "none",
    mayHaveBeenApplied: true
  },
  {
    response: "200 whose body breaks off",
    respond: cutOff(200),
    reason: "MalformedResponse",
    retried: "harmless",
    mayHaveBeenApplied: true
  },
  {
    response: "200 with JSON of another kind",
    respond: json(200, 7),
    reason: "MalformedResponse",
    retried: "none",
    mayHaveBeenApplied: true
  },
  { response: "204", respond: plain(204), reason: "MalformedResponse", retried: "none", mayHaveBeenApplied: true }
]

const isWrite = (kind: CallKind): boolean => kind !== "events.list"

export const reasonFor = ({ reason, writeReason }: Outcome, kind: CallKind): Reason["_tag"] =>
  isWrite(kind) ? (writeReason ?? reason) : reason

export const isRetried = ({ retried, writeRetried }: Outcome, kind: CallKind): boolean => {
  const rule = isWrite(kind) ? (writeRetried ?? retried) : retried
  return rule === "all" || (rule === "harmless" && kind !== "credentials.upsert with device tokens")
}

/** Whether the call may have been applied; never of a read. */
export const mayHaveBeenApplied = (outcome: Outcome, kind: CallKind): boolean =>
  isWrite(kind) && (outcome.mayHaveBeenApplied ?? outcome.retried === "harmless")
