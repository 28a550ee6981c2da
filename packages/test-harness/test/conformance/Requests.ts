/**
 * One row for each kind of request whose answer was recorded from the service, version 3.15.0, in the order in which they
 * are sent: later rows see what earlier ones have written.
 */
import { absent, type Row } from "./Exchange.ts"

const credentials = "PATCH /v1/subscribers/ana/credentials"
const marks = "POST /v1/subscribers/ana/messages/mark-as"
const list = "GET /v1/notifications"

const objectId = "0123456789abcdef01234567"
const mark = { messageId: objectId, markAs: "read" }

/** An error whose `ctx` repeats the phrase of the status. */
const titled = (status: number, message: string) => ({ status, message, context: "title" }) as const

/** Invalid input. */
const invalid = (...messages: ReadonlyArray<string>) => ({ status: 422, messages }) as const

/** A filter that only the operation rejects. */
const rejected = (name: string, value: unknown, message: string) =>
  ({ status: 422, filter: { name, value }, messages: [message] }) as const

const failed = {
  status: 500,
  message: "Internal server error, contact support and provide them with the errorId",
  context: "none"
} as const

const provider = ["providerId should not be null or undefined", "providerId must be a valid provider ID"] as const
const object = ["credentials should not be null or undefined", "credentials must be an object"] as const
const id = [
  "messageId should not be null or undefined",
  "messageId must be a valid MongoDB ObjectId or an array of valid MongoDB ObjectIds"
] as const
const state = [
  "markAs should not be null or undefined",
  "markAs must be one of the following values: read, seen, unread, unseen"
] as const
const limit = [
  "limit must not be greater than 50",
  "limit must not be less than 1",
  "limit must be an integer number"
] as const
const page = ["page must not be less than 0", "page must be an integer number"] as const
const channels = "each value in channels must be one of the following values: in_app, email, sms, chat, push"

const unlimited = { "ratelimit-limit": absent, "ratelimit-policy": absent }
const unparsed = { ...unlimited, vary: absent }

const keys: ReadonlyArray<Row> = [
  {
    send: list,
    headers: { authorization: absent },
    ...titled(401, "Missing authorization header"),
    responseHeaders: unlimited
  },
  { send: list, headers: { authorization: "" }, ...titled(401, "Missing authorization header") },
  { send: list, headers: { authorization: "ApiKey nope" }, ...titled(401, "API Key not found") },
  { send: list, headers: { authorization: "ApiKey one two" }, ...titled(401, "API Key not found") },
  { send: list, headers: { authorization: "apikey x" }, ...titled(401, 'Invalid authentication scheme: "apikey"') },
  { send: list, headers: { authorization: "key" }, ...titled(401, 'Invalid authentication scheme: "key"') },
  { send: list, headers: { authorization: "ApiKey" }, status: 401, message: "Unauthorized", context: "status" },
  { send: list, headers: { authorization: "Bearer x" }, status: 401, message: "Unauthorized", context: "status" }
]

const bodies: ReadonlyArray<Row> = [
  { send: credentials, body: {}, ...invalid(...provider, ...object) },
  { send: credentials, body: [], ...invalid(...provider, ...object) },
  { send: credentials, ...invalid(...provider, ...object) },
  { send: credentials, body: { credentials: {} }, ...invalid(...provider) },
  { send: credentials, body: { providerId: "fcm" }, ...invalid(...object) },
  { send: credentials, body: { providerId: 5, credentials: [] }, ...invalid(provider[1], object[1]) },
  {
    send: credentials,
    body: { providerId: "FCM", integrationIdentifier: 5, credentials: {} },
    ...invalid(provider[1], "integrationIdentifier must be a string")
  },
  { send: marks, body: {}, ...invalid(...id, ...state) },
  { send: marks, body: { messageId: [], markAs: null }, ...invalid(id[1], ...state) },
  { send: marks, body: { messageId: [objectId, "x"], markAs: ["read"] }, ...invalid(id[1], state[1]) },
  {
    send: marks,
    body: "{not json",
    ...titled(400, "Expected property name or '}' in JSON at position 1"),
    responseHeaders: unparsed
  },
  { send: marks, body: "   ", ...titled(400, "Unexpected end of JSON input") },
  { send: marks, body: "true", ...titled(400, `Unexpected token 't', "true" is not valid JSON`) },
  { send: marks, body: '"x"', ...titled(400, `Unexpected token '"', ""x"" is not valid JSON`) },
  {
    send: marks,
    headers: { authorization: "ApiKey nope" },
    body: "{",
    ...titled(400, "Expected property name or '}' in JSON at position 1")
  },
  { send: marks, body: `{"pad":"${"x".repeat(102_390)}"}`, ...invalid(...id, ...state) },
  {
    send: marks,
    body: `{"pad":"${"x".repeat(102_391)}"}`,
    status: 413,
    message: "Payload Too Large",
    context: "status",
    responseHeaders: unparsed
  },
  { send: marks, headers: { "content-type": "text/plain" }, body: mark, ...invalid(...id, ...state) },
  { send: marks, headers: { "content-type": "application/vnd.api+json" }, body: mark, ...invalid(...id, ...state) },
  { send: marks, headers: { "content-type": absent }, body: mark, ...invalid(...id, ...state) },
  { send: marks, headers: { "content-type": "APPLICATION/JSON" }, body: mark, status: 201, fields: { data: [] } },
  {
    send: marks,
    headers: { "content-type": "application/json; charset=latin1" },
    body: mark,
    ...failed,
    responseHeaders: unparsed
  },
  {
    send: marks,
    headers: { "content-type": "application/json; charset=utf-16" },
    body: "{}",
    ...titled(400, `Unexpected token '\u7d7b', "\u7d7b" is not valid JSON`)
  },
  { send: marks, headers: { "content-encoding": "zstd" }, body: mark, ...failed },
  {
    send: marks,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: `messageId=${objectId}&markAs=read`,
    status: 201,
    fields: { data: [] }
  },
  {
    send: marks,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "a=1&".repeat(1_000),
    status: 413,
    message: "Payload Too Large",
    context: "status"
  },
  {
    send: credentials,
    body: `{"providerId":"slack","credentials":${"[".repeat(2_000)}${"]".repeat(2_000)}}`,
    ...failed
  }
]

const stores: ReadonlyArray<Row> = [
  {
    send: credentials,
    body: { providerId: "fcm", credentials: { deviceTokens: ["a", "b", "a"] } },
    status: 200,
    stored: { deviceTokens: ["a", "b"] },
    fields: { __v: 0 }
  },
  {
    send: credentials,
    body: { providerId: "fcm", credentials: { deviceTokens: ["c", "b"] } },
    status: 200,
    stored: { deviceTokens: ["a", "b", "c"] },
    fields: { __v: 0 }
  },
  {
    send: credentials,
    body: { providerId: "fcm", credentials: { deviceTokens: [1, null, { a: 1 }] } },
    status: 200,
    stored: { deviceTokens: ["a", "b", "c", 1, null, { a: 1 }] }
  },
  {
    send: credentials,
    body: { providerId: "fcm", credentials: { deviceTokens: [] } },
    status: 200,
    stored: { deviceTokens: [] }
  },
  {
    send: credentials,
    body: { providerId: "fcm", credentials: { deviceTokens: "abc" } },
    status: 200,
    stored: { deviceTokens: ["a", "b", "c"] }
  },
  { send: credentials, body: { providerId: "fcm", credentials: { deviceTokens: 7 } }, ...failed },
  {
    send: "PATCH /v1/subscribers/ghost/credentials",
    body: { providerId: "fcm", credentials: { deviceTokens: 7 } },
    ...titled(400, "SubscriberId: ghost not found")
  },
  {
    send: credentials,
    body: { providerId: "fcm", credentials: { webhookUrl: { a: 1 }, channel: 5, title: "t" } },
    status: 200,
    stored: { webhookUrl: { a: 1 }, channel: 5, deviceTokens: [] }
  },
  {
    send: credentials,
    body: { providerId: "slack", integrationIdentifier: null, credentials: { channel: "c" } },
    status: 200,
    stored: { channel: "c" }
  },
  {
    send: credentials,
    body: { providerId: "slack", integrationIdentifier: "", credentials: { channel: null } },
    status: 200,
    stored: { channel: "c", deviceTokens: [] }
  },
  {
    send: credentials,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: "providerId=slack&credentials[channel]=form",
    status: 200,
    stored: { channel: "form", deviceTokens: [] }
  },
  {
    send: credentials,
    body: `\u{FEFF}{"providerId":"slack","credentials":{"channel":"bom"}}`,
    status: 200,
    stored: { channel: "bom", deviceTokens: [] }
  },
  {
    send: credentials,
    body: { providerId: "fcm", credentials: { deviceTokens: Array.from({ length: 101 }, (_, at) => `t${at}`) } },
    status: 400,
    message: "Device tokens limit exceeded. Maximum allowed tokens per subscriber channel is 100, but got 101 tokens.",
    context: { currentCount: 101, limit: 100 }
  },
  {
    send: "PATCH /v1/subscribers/a%2Fb/credentials",
    body: { providerId: "fcm", credentials: {} },
    ...titled(400, "SubscriberId: a/b not found")
  },
  {
    send: "PATCH /v1/subscribers/ANA/credentials",
    body: { providerId: "fcm", credentials: {} },
    ...titled(400, "SubscriberId: ANA not found")
  },
  { send: "POST /v1/subscribers/ghost/messages/mark-as", body: mark, ...titled(404, "Subscriber ghost not found") }
]

const routes: ReadonlyArray<Row> = [
  { send: "GET /v1/nope?a=1", ...titled(404, "Cannot GET /v1/nope?a=1"), responseHeaders: unlimited },
  { send: "GET /v1/nope", headers: { authorization: absent }, ...titled(404, "Cannot GET /v1/nope") },
  {
    send: "GET /v1/subscribers/ana/messages/mark-as",
    ...titled(404, "Cannot GET /v1/subscribers/ana/messages/mark-as")
  },
  { send: "TRACE /v1/notifications", ...titled(404, "Cannot TRACE /v1/notifications") },
  { send: "GET //v1/notifications", ...titled(404, "Cannot GET //v1/notifications") },
  { send: "GET /v1//notifications", ...titled(404, "Cannot GET /v1//notifications") },
  { send: "GET /v1/notifications//", ...titled(404, "Cannot GET /v1/notifications//") },
  { send: "GET /v1/./notifications", ...titled(404, "Cannot GET /v1/./notifications") },
  {
    send: "PATCH /v1/subscribers/%zz/credentials",
    body: {},
    ...titled(400, "Failed to decode param 'v1/subscribers/%zz/credentials'")
  },
  { send: "GET /V1/Notifications/?limit=1", status: 200, records: 1 },
  {
    send: "HEAD /v1/notifications",
    status: 200,

    responseHeaders: { "content-type": "application/json; charset=utf-8" }
  },
  { send: "HEAD /v1/nope", status: 404 },
  {
    send: "OPTIONS /v1/nope",
    headers: { authorization: absent },
    status: 204,
    responseHeaders: { "access-control-max-age": "86400", etag: absent, ...unparsed }
  },
  {
    send: list,
    headers: { "if-none-match": "*" },
    status: 304,
    responseHeaders: { "content-type": absent, vary: absent, "ratelimit-limit": "150" }
  }
]

const pages: ReadonlyArray<Row> = [
  { send: list, status: 200, records: 10, fields: { page: 0, pageSize: 10, hasMore: true } },
  { send: `${list}?limit=%205%20`, status: 200, records: 5 },
  { send: `${list}?limit=0x5&LIMIT=1`, status: 200, records: 5 },
  { send: `${list}?page=`, status: 200, records: 10 },
  { send: `${list}?page=99999999999999999999`, status: 200, records: 0, fields: { page: 1e20 } },
  { send: `${list}?limit=`, ...invalid(limit[1]) },
  { send: `${list}?limit`, ...invalid(limit[1]) },
  { send: `${list}?limit=51`, ...invalid(limit[0]) },
  { send: `${list}?limit=1.5`, ...invalid(limit[2]) },
  { send: `${list}?limit=Infinity`, ...invalid(limit[0], limit[2]) },
  { send: `${list}?limit=x`, ...invalid(...limit) },
  { send: `${list}?limit=1&limit=2`, ...invalid(...limit) },
  { send: `${list}?limit[a]=1`, ...invalid(...limit) },
  { send: `${list}?limit=1;page=1`, ...invalid(...limit) },
  { send: `${list}?page=-1&limit=0`, ...invalid(page[0], limit[1]) },
  { send: `${list}?limit=0&page=x`, ...invalid(...page, limit[1]) }
]

const twenty = Array.from({ length: 20 }, () => "subscriberIds=bob").join("&")

const filters: ReadonlyArray<Row> = [
  ...["channels", "templates", "emails", "subscriberIds", "search", "transactionId", "topicKey", "after"].map(
    (name): Row => ({ send: `${list}?${name}=`, status: 200, records: 10 })
  ),
  { send: `${list}?severity=`, ...invalid("") },
  { send: `${list}?severity=HIGH`, ...invalid("") },
  { send: `${list}?channels=digest`, ...rejected("channels", ["digest"], channels) },
  { send: `${list}?channels=in_app,email`, ...rejected("channels", ["in_app,email"], channels) },
  { send: `${list}?channels[]=in_app&channels=email&limit=2`, status: 200, records: 2 },
  {
    send: `${list}?templates=welcome`,
    ...rejected("templates", ["welcome"], "each value in templates must be a mongodb id")
  },
  { send: `${list}?search=a&search=b`, ...rejected("search", ["a", "b"], "search must be a string") },
  { send: `${list}?search[$ne]=x`, ...rejected("search", { $ne: "x" }, "search must be a string") },
  {
    send: `${list}?after=2026-01-01&after=2026-01-02`,
    ...rejected("after", ["2026-01-01", "2026-01-02"], "after must be a string")
  },
  { send: `${list}?topicKey=a&topicKey=b`, ...invalid("topicKey must be a string") },
  { send: `${list}?contextKeys[x]=a`, ...invalid("each value in contextKeys must be a string") },
  { send: `${list}?subscriberIds[0]=bob`, status: 200, records: 1 },
  { send: `${list}?subscriberIds[a]=bob`, ...failed },
  { send: `${list}?${twenty}`, status: 200, records: 1 },
  { send: `${list}?${twenty}&subscriberIds=ana`, ...failed },
  { send: `${list}?${twenty.replaceAll("subscriberIds", "transactionId")}&transactionId=x`, status: 422 },
  { send: `${list}?transactionId[]=tx-custom`, status: 200, records: 1 },
  { send: `${list}?transactionId=tx-custom&transactionId=x`, status: 200, records: 1 },
  { send: `${list}?subscriberIds=ghost&page=3&limit=7`, status: 200, records: 0, fields: { page: 0, pageSize: 7 } },
  { send: `${list}?search=%zz`, status: 200, records: 0 },
  { send: `${list}?foo=1&__proto__[a]=1&a[b][c][d][e][f][g][h]=1`, status: 200, records: 10 },
  { send: `${list}?after=5`, status: 200, records: 10 },
  { send: `${list}?after=2001-01-01`, status: 200, records: 10 },
  {
    send: `${list}?after=nope`,
    status: 400,
    message: "Invalid date format for parameter 'after': nope. Please provide a valid ISO 8601 date string.",
    context: "none"
  },
  {
    send: `${list}?after=2099-01-01`,
    status: 400,
    message: "Invalid date range: start date (after) must be earlier than end date (before)",
    context: "none"
  }
]

const keyed = (key: string) => ({ "idempotency-key": key })
const reused = (key: string) => ({
  ...titled(422, `Request with key "${key}" is being reused for a different body`),
  responseHeaders: { "idempotency-key": key, "idempotency-replay": absent }
})

const idempotency: ReadonlyArray<Row> = [
  {
    send: marks,
    headers: keyed("a"),
    body: mark,
    status: 201,
    responseHeaders: { "idempotency-key": "a", "idempotency-replay": absent }
  },
  {
    send: marks,
    headers: keyed("a"),
    body: mark,
    status: 201,
    responseHeaders: { "idempotency-key": "a", "idempotency-replay": "true" }
  },
  { send: marks, headers: keyed("a"), body: { markAs: "read", messageId: objectId }, ...reused("a") },
  // A key belongs to no path or method: the first answer again, with the status of this one.
  {
    send: credentials,
    headers: keyed("a"),
    body: mark,
    status: 200,
    fields: { data: [] },
    responseHeaders: { "idempotency-replay": "true" }
  },
  {
    send: marks,
    headers: keyed("b"),
    body: { ...mark, messageId: "x" },
    ...invalid(id[1]),
    responseHeaders: keyed("b")
  },
  {
    send: marks,
    headers: keyed("b"),
    body: { ...mark, messageId: "x" },
    status: 503,
    message: "Service Unavailable",
    context: "status",
    responseHeaders: { "idempotency-replay": "true" }
  },
  { send: marks, headers: keyed("b"), body: mark, ...reused("b") },
  {
    send: marks,
    headers: keyed("z"),
    body: "{bad",
    ...titled(400, "Expected property name or '}' in JSON at position 1"),
    responseHeaders: { "idempotency-key": absent }
  },
  { send: marks, headers: keyed("z"), body: mark, status: 201, responseHeaders: { "idempotency-replay": absent } },
  {
    send: `${list}?limit=1`,
    headers: keyed("g"),
    status: 200,
    records: 1,
    responseHeaders: { "idempotency-key": absent }
  },
  { send: marks, headers: keyed(""), body: mark, status: 201, responseHeaders: { "idempotency-key": absent } },
  {
    send: marks,
    headers: keyed("k".repeat(256)),
    body: mark,
    ...titled(400, `idempotencyKey "${"k".repeat(256)}" has exceeded the maximum allowed length of 255 characters`)
  }
]

/** The rows by what they are about. */
export const requests = { keys, bodies, stores, routes, pages, filters, idempotency }

/** Behaviour of a service beyond the API document that the fake does not copy: each with the reason. */
export const differences: ReadonlyArray<{ readonly what: string; readonly send: string; readonly reason: string }> = [
  {
    what: "replacing credentials",
    send: "PUT /v1/subscribers/ana/credentials",
    reason: "no operation of the API document"
  },
  {
    what: "deleting credentials",
    send: "DELETE /v1/subscribers/ana/credentials/slack",
    reason: "no operation of the API document"
  },
  { what: "reading a subscriber", send: "GET /v1/subscribers/ana", reason: "no operation of the API document" },
  {
    what: "reading one event",
    send: "GET /v1/notifications/0123456789abcdef01234567",
    reason: "no operation of the API document"
  },
  { what: "its health", send: "GET /v1/health-check", reason: "no operation of the API document" }
]
