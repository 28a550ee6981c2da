/**
 * Questions about requests themselves: key, path, method, body, rate limit, and the shape of errors.
 */
import * as Effect from "effect/Effect"
import { type Deployment, eventsPath, isSameRejection, type Reply, type RequestOptions } from "./Deployment.ts"
import { noObjectId } from "./EventLog.ts"
import { byStatus, choose, either, evidenceOf, inimitable, settled, type SomeFindings, unknown } from "./Finding.ts"
import type { TestEntry } from "./TestEntry.ts"
import { noSubscriber } from "./TestMessages.ts"
import { fieldsOf, has, testValue } from "./WireValues.ts"

const unknownKey = `ApiKey ${testValue}`

/** A request that is always rejected, with the shape of the rejection. */
const badMark = { messageId: [noObjectId], markAs: "opened" }

const isMissing = ({ status }: Reply): boolean => status === 404 || status === 405

/** Paths and methods that the API document does not have. */
const askRoutes = Effect.fnUntraced(function* ({ send }: Deployment) {
  const paths = [
    yield* send("GET events, in capitals", "GET", eventsPath.toUpperCase()),
    yield* send("GET events, with a slash at the end", "GET", `${eventsPath}/`)
  ]
  const head = yield* send("HEAD events", "HEAD", eventsPath)
  const options = yield* send("OPTIONS events", "OPTIONS", eventsPath)
  const isLenient = paths.every(({ isAccepted }) => isAccepted)
  return {
    "route.path": choose(
      paths.map(evidenceOf).join("; "),
      { lenient: isLenient, exact: paths.every(isMissing) },
      paths.length
    ),
    "route.head": choose(evidenceOf(head), { "as-get": head.isAccepted, "wrong-method": isMissing(head) }),
    "route.options": choose(evidenceOf(options), { "204": options.status === 204, "wrong-method": isMissing(options) }),
    "route.badPath": byStatus("route.badPath", yield* send("GET a path with %zz", "GET", "/v1/%zz"))
  } satisfies SomeFindings
})

/** Facts that the headers of a page show. */
const askHeaders = ({ headers, what }: Reply) => {
  const shown = <const Yes extends string, const No extends string>(name: string, yes: Yes, no: No) =>
    either(headers.has(name), yes, no, `${what}: has ${headers.has(name) ? "a" : "no"} header ${name}`)
  const limit = headers.get("ratelimit-limit")
  const evidence = `${what}: RateLimit-Limit is ${limit}`
  return {
    "response.requestId": shown("X-Request-Id", "x-request-id", "absent"),
    "response.headers": shown("X-Content-Type-Options", "web-framework", "plain"),
    "response.etag": shown("ETag", "weak", "absent"),
    ...(limit === null
      ? {}
      : {
          "rateLimit.headers": settled("present", evidence),
          "rateLimit.plan": choose(evidence, {
            free: limit === "150",
            pro: limit === "600",
            business: limit === "1500",
            unlimited: limit === "15000"
          })
        })
  } satisfies SomeFindings
}

const errorBody = (reply: Reply) => {
  const fields = fieldsOf(reply.body)
  const names = Object.keys(fields).join(", ")
  return choose(`${evidenceOf(reply)}, ${reply.text === "" ? "no body" : `fields ${names}`}`, {
    empty: reply.text === "",
    problem: reply.headers.get("content-type")?.startsWith("application/problem+json") === true,
    nested: has(fieldsOf(fields["error"]), "message"),
    observed: has(fields, "statusCode") && has(fields, "path"),
    message: has(fields, "message")
  })
}

/** A body below and one above each limit that the fake can imitate, counted in thousands or in multiples of 1024. */
const bodySizes = [
  { limit: "100kB", read: 99_000, rejected: 103_000 },
  { limit: "1MB", read: 990_000, rejected: 1_055_000 }
] as const

/** Bodies that are not JSON: whatever the limit is, they change nothing. */
const askBodyLimit = Effect.fnUntraced(function* ({ mark }: Deployment, subscriberId: string) {
  for (const { limit, read, rejected } of bodySizes) {
    const below = yield* mark(`${read} bytes`, subscriberId, "{".padEnd(read))
    if (below.status === 413) return inimitable(evidenceOf(below))
    const above = yield* mark(`${rejected} bytes`, subscriberId, "{".padEnd(rejected))
    if (above.status === 413) return settled(limit, `${evidenceOf(below)}; ${evidenceOf(above)}`, 2)
  }
  return settled("none", `${bodySizes[1].rejected} bytes are read`, 2 * bodySizes.length)
})

const askContentType = Effect.fnUntraced(function* (
  { mark, upsert }: Deployment,
  subscriberId: string,
  entry: TestEntry | undefined
) {
  const text = { contentType: "text/plain" }
  const marked = yield* mark("as text/plain", subscriberId, badMark, text)
  if (marked.status === 415) return settled("415", evidenceOf(marked))
  if (entry === undefined) return unknown("needs a provider that accepts credentials")
  const upserted = yield* entry.set("as text/plain", { channel: testValue }, text)
  if (upserted.isAccepted) return settled("accepted", evidenceOf(upserted))
  const fields = new URLSearchParams({ providerId: entry.providerId, "credentials[channel]": testValue })
  const contentType = "application/x-www-form-urlencoded"
  const form = yield* upsert("as a form", subscriberId, fields.toString(), { contentType })
  if (form.isAccepted) return settled("json-or-form", evidenceOf(form))
  const emptyMark = yield* mark("without fields", subscriberId, {})
  const emptyUpsert = yield* upsert("without fields", subscriberId, {})
  const isLikeEmpty = marked.status === emptyMark.status && upserted.status === emptyUpsert.status
  const isBadRequest = marked.status === 400 && upserted.status === 400
  // Where an empty body is a bad request too, only the bodies of the responses tell the two apart.
  const isSame = isSameRejection(marked, emptyMark, [])
  return choose([marked, emptyMark, upserted, emptyUpsert].map(evidenceOf).join("; "), {
    "400": isBadRequest && !(isLikeEmpty && isSame),
    "body-ignored": isLikeEmpty && (!isBadRequest || marked.text !== "")
  })
})

/** Nested deeper than any body of the API. */
const deepLevels = 600

/** Bodies that are JSON, but not the fields of an operation. All are rejected. */
const askBodies = Effect.fnUntraced(function* ({ mark }: Deployment, badJson: Reply, rejected: Reply) {
  const send = (what: string, body: unknown, options?: RequestOptions) => mark(what, noSubscriber, body, options)
  const empty = yield* send("no fields", {})
  const number = yield* send("a number", "5")
  const deep = yield* send(`${deepLevels} levels`, "[".repeat(deepLevels) + "]".repeat(deepLevels))
  const unread = yield* send("an unknown key and a body that is not JSON", "{", { authorization: unknownKey })
  const latin = yield* send("another charset", badMark, { contentType: "application/json; charset=latin1" })
  const named = ["messageId", "markAs"].filter((name) => empty.text.includes(name)).length
  const isList = !empty.isAccepted && has(fieldsOf(empty.body), "errors")
  /** A value for each of two statuses, where they differ; a service that accepts what it should reject shows neither. */
  const like = <const Value extends string>(reply: Reply, values: Readonly<Record<Value, number>>) => {
    // `keys` returns the names of the values.
    const matching = (Object.keys(values) as Array<Value>).filter((value) => values[value] === reply.status)
    const [value] = matching
    return value === undefined || matching.length > 1 || reply.isAccepted
      ? unknown(evidenceOf(reply))
      : settled(value, evidenceOf(reply))
  }
  return {
    "error.problems": choose(`${evidenceOf(empty)}, ${named} of 2 fields`, {
      all: isList && named === 2,
      first: isList && named === 1
    }),
    "request.json": like(number, { "objects-only": badJson.status, standard: empty.status }),
    "request.nesting": like(deep, { rejected: badJson.status, "500": 500 }),
    "request.order": like(unread, { "body-first": badJson.status, "key-first": 401 }),
    "request.encoding": like(latin, { ignored: rejected.status, "500": 500 })
  } satisfies SomeFindings
})

/** Probes requests that do not reach an operation, or that it rejects. */
export const askRequests = Effect.fnUntraced(function* (
  deployment: Deployment,
  subscriberId: string,
  first: Reply,
  entry: TestEntry | undefined
) {
  const { list, mark } = deployment
  const badJson = yield* mark("a body that is not JSON", noSubscriber, "{")
  const rejected = yield* mark("an unknown state", subscriberId, badMark)
  // A GET changes nothing, whatever is behind the path.
  const method = yield* mark("with GET", subscriberId, undefined, { method: "GET" })
  const missing = yield* list("without a key", [], { authorization: null })
  const wrong = yield* list("with an unknown key", [], { authorization: unknownKey })
  return {
    ...askHeaders(first),
    ...(yield* askBodies(deployment, badJson, rejected)),
    ...(yield* askRoutes(deployment)),
    "auth.missingKey": byStatus("auth.missingKey", missing),
    "auth.wrongKey": byStatus("auth.wrongKey", wrong),
    "error.body": errorBody(rejected),
    "route.wrongMethod": byStatus("route.wrongMethod", method),
    "request.badJson": byStatus("request.badJson", badJson),
    "request.contentType": yield* askContentType(deployment, subscriberId, entry),
    "request.bodyLimit": yield* askBodyLimit(deployment, subscriberId),
    "mark.badMarkAs": byStatus("mark.badMarkAs", rejected)
  } satisfies SomeFindings
})
