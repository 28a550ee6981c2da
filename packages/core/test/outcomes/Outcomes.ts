import type { Reason } from "../../src/errors/Reason.ts"
import { connectionError } from "../transport/Transport.ts"

/** The kinds of call that differ in what may be repeated. */
export const callKinds = [
  "events.list",
  "messages.markAs",
  "credentials.upsert",
  "credentials.upsert with device tokens",
  "credentials.upsert with device tokens, keys honoured"
] as const
export type CallKind = (typeof callKinds)[number]

/** Which kinds of call are repeated. */
export type Repeated = "all" | "none" | "harmless"

/** One line of the table: what came back, what the call fails with, and whether it is repeated. */
export interface Outcome {
  /** What came back, in words. */
  readonly answer: string
  readonly respond: (key: string) => Response | Error | "never"
  readonly reason: Reason["_tag"]
  /** The reason of calls that write, where it is another one. */
  readonly writeReason?: Reason["_tag"]
  readonly repeated: Repeated
  /** What is repeated of calls that write, where it differs. */
  readonly writeRepeated?: Repeated
  /** Whether the service may have done the work of a call that writes, where the column before does not say so. */
  readonly mayHaveBeenApplied?: true
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

const unreachable = [
  ["ECONNREFUSED", "connection refused"],
  ["ENOTFOUND", "name not found"],
  ["EAI_AGAIN", "name server does not answer"],
  ["EMFILE", "no file descriptor for a socket"],
  ["UND_ERR_CONNECT_TIMEOUT", "connect timeout"],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", "certificate refused"],
  ["CERT_HAS_EXPIRED", "certificate expired"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "certificate of another name"],
  ["ERR_SSL_WRONG_VERSION_NUMBER", "no TLS on the other side"]
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
    answer: `none: ${words} (\`${code}\`)`,
    respond: () => connectionError(code),
    reason: "TransportFailure",
    repeated: "all"
  })),
  ...unknown.map(([code, words]): Outcome => ({
    answer: `none: ${words} (\`${code}\`)`,
    respond: () => connectionError(code),
    reason: "TransportFailure",
    repeated: "harmless"
  })),
  {
    answer: "none: error without a code",
    respond: () => connectionError(),
    reason: "TransportFailure",
    repeated: "harmless"
  },
  { answer: "none within the limit of the attempt", respond: () => "never", reason: "Timeout", repeated: "harmless" },
  {
    answer: "302",
    respond: plain(302, { location: "http://other.test" }),
    reason: "UnexpectedStatus",
    repeated: "none",
    mayHaveBeenApplied: true
  },
  { answer: "304", respond: plain(304), reason: "UnexpectedStatus", repeated: "none", mayHaveBeenApplied: true },
  {
    answer: "400 with a message",
    respond: json(400, { statusCode: 400, message: "SubscriberId: x not found", error: "Bad Request" }),
    reason: "Rejected",
    repeated: "none"
  },
  { answer: "400 with an empty body", respond: plain(400), reason: "Rejected", repeated: "none" },
  { answer: "401", respond: json(401, { message: "API Key not found" }), reason: "Unauthorized", repeated: "none" },
  { answer: "402", respond: json(402, { message: "retention" }), reason: "PaymentRequired", repeated: "none" },
  { answer: "403", respond: json(403, {}), reason: "Forbidden", repeated: "none" },
  { answer: "404", respond: json(404, { message: "Subscriber x not found" }), reason: "NotFound", repeated: "none" },
  { answer: "405", respond: plain(405), reason: "Rejected", repeated: "none" },
  { answer: "408", respond: plain(408), reason: "Rejected", repeated: "harmless" },
  {
    answer: "409 with `Retry-After`",
    respond: json(409, { message: "in progress" }, { "retry-after": "1" }),
    reason: "Conflict",
    writeReason: "RequestInFlight",
    repeated: "none",
    writeRepeated: "all",
    mayHaveBeenApplied: true
  },
  { answer: "409 without `Retry-After`", respond: json(409, {}), reason: "Conflict", repeated: "none" },
  { answer: "410", respond: plain(410), reason: "Rejected", repeated: "none" },
  { answer: "413", respond: plain(413, {}, html), reason: "PayloadTooLarge", repeated: "none" },
  { answer: "414", respond: plain(414), reason: "Rejected", repeated: "none" },
  { answer: "415", respond: plain(415), reason: "Rejected", repeated: "none" },
  {
    answer: "422 with `errors.general`",
    respond: json(422, {
      message: "Validation Error",
      errors: { general: { messages: ["limit must be"], value: "" } }
    }),
    reason: "Rejected",
    repeated: "none"
  },
  {
    answer: "422 with `errors` by field",
    respond: json(422, { message: "Validation failed", errors: { channels: { messages: ["bad"], value: "x" } } }),
    reason: "Rejected",
    repeated: "none"
  },
  {
    answer: "422 without field errors, whose message names the key",
    respond: (key) =>
      Response.json({ message: `Request with key "${key}" is being reused for a different body` }, { status: 422 }),
    reason: "Rejected",
    writeReason: "IdempotencyKeyReused",
    repeated: "none"
  },
  {
    answer: "422 as a problem document",
    respond: json(422, { title: "Invalid", detail: "no", "invalid-params": [{ name: "limit", reason: "too large" }] }),
    reason: "Rejected",
    repeated: "none"
  },
  { answer: "425", respond: plain(425), reason: "Rejected", repeated: "harmless" },
  { answer: "429 without a hint", respond: plain(429), reason: "RateLimited", repeated: "all" },
  {
    answer: "429 with `Retry-After` that fits the deadline",
    respond: plain(429, { "retry-after": "2" }),
    reason: "RateLimited",
    repeated: "all"
  },
  {
    answer: "429 with `Retry-After` beyond the deadline",
    respond: plain(429, { "retry-after": "3600" }),
    reason: "RateLimited",
    repeated: "none"
  },
  {
    answer: "429 with `RateLimit-Reset` only",
    respond: plain(429, { "ratelimit-reset": "3" }),
    reason: "RateLimited",
    repeated: "all"
  },
  { answer: "499", respond: plain(499), reason: "Rejected", repeated: "none" },
  { answer: "500", respond: json(500, { message: "contact support" }), reason: "ServerFailure", repeated: "harmless" },
  {
    answer: "500 with `Idempotency-Replay: true`",
    respond: json(500, {}, { "idempotency-replay": "true" }),
    reason: "ServerFailure",
    repeated: "none",
    mayHaveBeenApplied: true
  },
  {
    answer: "503 with `Idempotency-Replay: true`",
    respond: json(503, {}, { "idempotency-replay": "true" }),
    reason: "ServerFailure",
    repeated: "none",
    mayHaveBeenApplied: true
  },
  { answer: "501", respond: plain(501), reason: "ServerFailure", repeated: "none", mayHaveBeenApplied: true },
  {
    answer: "502 with an HTML page that says it is JSON",
    respond: plain(502, { "content-type": "application/json" }, html),
    reason: "ServerFailure",
    repeated: "harmless"
  },
  {
    answer: "503 with `Retry-After` that fits the deadline",
    respond: plain(503, { "retry-after": "1" }),
    reason: "ServerFailure",
    repeated: "harmless"
  },
  {
    answer: "504 with a truncated body",
    respond: plain(504, {}, '{"mess'),
    reason: "ServerFailure",
    repeated: "harmless"
  },
  { answer: "505", respond: plain(505), reason: "ServerFailure", repeated: "none", mayHaveBeenApplied: true },
  {
    answer: "200 with an HTML page",
    respond: plain(200, {}, html),
    reason: "MalformedResponse",
    repeated: "none",
    mayHaveBeenApplied: true
  },
  {
    answer: "200 with an empty body",
    respond: plain(200),
    reason: "MalformedResponse",
    repeated: "none",
    mayHaveBeenApplied: true
  },
  {
    answer: "200 with truncated JSON",
    respond: plain(200, {}, '{"data":['),
    reason: "MalformedResponse",
    repeated: "none",
    mayHaveBeenApplied: true
  },
  {
    answer: "200 with JSON of another kind",
    respond: json(200, 7),
    reason: "MalformedResponse",
    repeated: "none",
    mayHaveBeenApplied: true
  },
  { answer: "204", respond: plain(204), reason: "MalformedResponse", repeated: "none", mayHaveBeenApplied: true }
]

const isWrite = (kind: CallKind): boolean => kind !== "events.list"

export const reasonFor = ({ reason, writeReason }: Outcome, kind: CallKind): Reason["_tag"] =>
  isWrite(kind) ? (writeReason ?? reason) : reason

export const isRepeated = ({ repeated, writeRepeated }: Outcome, kind: CallKind): boolean => {
  const rule = isWrite(kind) ? (writeRepeated ?? repeated) : repeated
  return rule === "all" || (rule === "harmless" && kind !== "credentials.upsert with device tokens")
}

/** Whether the service may have done the work; never of a read. */
export const mayHaveBeenApplied = (outcome: Outcome, kind: CallKind): boolean =>
  isWrite(kind) && (outcome.mayHaveBeenApplied ?? outcome.repeated === "harmless")
