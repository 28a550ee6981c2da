/**
 * Questions about requests themselves: key, method, body, rate limit, and the shape of errors.
 */
import * as Effect from "effect/Effect"
import { type Deployment, isSameRejection, type Reply, type RequestOptions } from "./Deployment.ts"
import {
  allUnknown,
  either,
  evidenceOf,
  type Findings,
  settled,
  type SomeFindings,
  statusOf,
  unknown
} from "./Finding.ts"
import { noObjectId } from "./EventLog.ts"
import { askRoutes } from "./RouteQuestions.ts"
import type { TestEntry } from "./TestEntry.ts"
import { noSubscriber } from "./TestMessages.ts"
import { fieldsOf, has } from "./WireValues.ts"

const unknownKey = "ApiKey signalbox-calibration"

const askAuthorization = Effect.fnUntraced(function* (deployment: Deployment) {
  const missing = yield* deployment.list("GET events without a key", [], { authorization: null })
  const wrong = yield* deployment.list("GET events with an unknown key", [], { authorization: unknownKey })
  return {
    "auth.missingKey": statusOf(missing, ["401", "400", "403"]),
    "auth.wrongKey": statusOf(wrong, ["401", "403"])
  } satisfies SomeFindings
})

/** A request that is always rejected, with the shape of the rejection. */
const badMark = { messageId: [noObjectId], markAs: "opened" }

const askErrorBody = (reply: Reply): Findings<"error.body"> => {
  const fields = fieldsOf(reply.body)
  const evidence = `${evidenceOf(reply)}, ${reply.text === "" ? "no body" : `fields ${Object.keys(fields).join(", ")}`}`
  const shape = () => {
    if (reply.text === "") return settled("empty", evidence)
    if (reply.headers.get("content-type")?.startsWith("application/problem+json") === true) {
      return settled("problem", evidence)
    }
    if (has(fieldsOf(fields["error"]), "message")) return settled("nested", evidence)
    if (has(fields, "statusCode") && has(fields, "path")) return settled("observed", evidence)
    return has(fields, "message") ? settled("message", evidence) : unknown(`${evidence}, which the fake cannot imitate`)
  }
  return { "error.body": shape() }
}

/** A body below and one above each limit that the fake can imitate, counted in thousands or in multiples of 1024. */
const bodySizes = [
  { limit: "100kB", read: 99_000, rejected: 103_000 },
  { limit: "1MB", read: 990_000, rejected: 1_055_000 }
] as const

/** Bodies that are not JSON: whatever the limit is, they change nothing. */
const askBodyLimit = Effect.fnUntraced(function* (deployment: Deployment, subscriberId: string) {
  const send = (bytes: number) => deployment.mark(`POST mark-as, ${bytes} bytes`, subscriberId, "{".padEnd(bytes))
  let largest = 0
  for (const { limit, read, rejected } of bodySizes) {
    const below = yield* send(read)
    if (below.status === 413) return unknown(`${evidenceOf(below)}, which the fake cannot imitate`)
    const above = yield* send(rejected)
    if (above.status === 413) return settled(limit, `${evidenceOf(below)}; ${evidenceOf(above)}`, 2)
    largest = rejected
  }
  return settled("none", `${largest} bytes are read`, 2 * bodySizes.length)
})

const askContentType = Effect.fnUntraced(function* (
  deployment: Deployment,
  subscriberId: string,
  entry: TestEntry | undefined
) {
  const text = { contentType: "text/plain" }
  const mark = yield* deployment.mark("POST mark-as as text/plain", subscriberId, badMark, text)
  if (mark.status === 415) return settled("415", evidenceOf(mark))
  if (entry === undefined) return unknown("needs a provider that accepts credentials")
  const upsert = yield* entry.set("as text/plain", { channel: "signalbox-calibration" }, text)
  if (upsert.isAccepted) return settled("accepted", evidenceOf(upsert))
  const fields = new URLSearchParams({ providerId: entry.providerId, "credentials[channel]": "signalbox-calibration" })
  const form = yield* deployment.upsert("PATCH credentials as a form", subscriberId, fields.toString(), {
    contentType: "application/x-www-form-urlencoded"
  })
  if (form.isAccepted) return settled("json-or-form", evidenceOf(form))
  const emptyMark = yield* deployment.mark("POST mark-as without fields", subscriberId, {})
  const emptyUpsert = yield* deployment.upsert("PATCH credentials without fields", subscriberId, {})
  const evidence = [mark, emptyMark, upsert, emptyUpsert].map(evidenceOf).join("; ")
  const isLikeEmpty = mark.status === emptyMark.status && upsert.status === emptyUpsert.status
  const isBadRequest = mark.status === 400 && upsert.status === 400
  if (!isLikeEmpty) return isBadRequest ? settled("400", evidence) : unknown(evidence)
  if (!isBadRequest) return settled("body-ignored", evidence)
  if (!isSameRejection(mark, emptyMark, [])) return settled("400", evidence)
  return mark.text === ""
    ? unknown(`${evidence}, without bodies that would tell the two apart`)
    : settled("body-ignored", evidence)
})

const plans: Readonly<Record<string, "free" | "pro" | "business" | "unlimited">> = {
  150: "free",
  600: "pro",
  1500: "business",
  15_000: "unlimited"
}

const askRateLimit = ({ headers, what }: Reply): Findings<"rateLimit.plan" | "rateLimit.headers"> => {
  const limit = headers.get("ratelimit-limit")
  if (limit === null) {
    return allUnknown(
      ["rateLimit.plan", "rateLimit.headers"],
      "responses have no RateLimit headers: there may be no limit, and finding one would exhaust it"
    )
  }
  const evidence = `${what}: RateLimit-Limit is ${limit}`
  const plan = plans[limit]
  return {
    "rateLimit.headers": settled("present", evidence),
    "rateLimit.plan":
      plan === undefined ? unknown(`${evidence}, which the fake cannot imitate`) : settled(plan, evidence)
  }
}

const askFramework = ({ headers, what }: Reply): Findings<"response.headers" | "response.etag"> => {
  const isFramed = headers.has("x-content-type-options")
  const isTagged = headers.has("etag")
  return {
    "response.headers": either(
      isFramed,
      "web-framework",
      "plain",
      `${what}: ${isFramed ? "has" : "has no"} X-Content-Type-Options`
    ),
    "response.etag": either(isTagged, "weak", "absent", `${what}: ${isTagged ? "has" : "has no"} ETag`)
  }
}

/** Nested deeper than any body of the API. */
const deepLevels = 600

/** Probes bodies that are JSON, but not the fields of an operation. All are rejected. */
const askBodies = Effect.fnUntraced(function* (deployment: Deployment, badJson: Reply, rejected: Reply) {
  const mark = (what: string, body: unknown, options?: RequestOptions) =>
    deployment.mark(`POST mark-as, ${what}`, noSubscriber, body, options)
  const empty = yield* mark("no fields", {})
  const number = yield* mark("a number", "5")
  const deep = yield* mark(`${deepLevels} levels`, "[".repeat(deepLevels) + "]".repeat(deepLevels))
  const unread = yield* mark("an unknown key and a body that is not JSON", "{", { authorization: unknownKey })
  const latin = yield* mark("another charset", badMark, { contentType: "application/json; charset=latin1" })
  const problems = () => {
    const named = ["messageId", "markAs"].filter((name) => empty.text.includes(name)).length
    if (named === 0 || empty.isAccepted || !has(fieldsOf(empty.body), "errors")) {
      return unknown(`${evidenceOf(empty)}, without a list of fields`)
    }
    return either(named === 2, "all", "first", `${evidenceOf(empty)}, ${named} of 2 fields`)
  }
  /** A value for each of two responses that a body can be rejected like. */
  const like = <One extends string, Other extends string>(
    reply: Reply,
    [one, value]: readonly [number, One],
    [other, otherValue]: readonly [number, Other]
  ) => {
    if (one === other || (reply.status !== one && reply.status !== other)) return unknown(evidenceOf(reply))
    return either(reply.status === one, value, otherValue, evidenceOf(reply))
  }
  return {
    "error.problems": problems(),
    "request.json": like(number, [badJson.status, "objects-only"], [empty.status, "standard"]),
    "request.nesting": like(deep, [badJson.status, "rejected"], [500, "500"]),
    "request.order": like(unread, [badJson.status, "body-first"], [401, "key-first"]),
    "request.encoding": like(latin, [rejected.status, "ignored"], [500, "500"])
  } satisfies SomeFindings
})

const askRequestId = ({ headers, what }: Reply): Findings<"response.requestId"> => {
  const isSent = headers.has("x-request-id")
  const evidence = `${what}: ${isSent ? "has" : "has no"} X-Request-Id`
  return { "response.requestId": either(isSent, "x-request-id", "absent", evidence) }
}

/** Probes requests that do not reach an operation, or that it rejects. */
export const askRequests = Effect.fnUntraced(function* (
  deployment: Deployment,
  subscriberId: string,
  first: Reply,
  entry: TestEntry | undefined
) {
  // A GET changes nothing, whatever is behind the path.
  const method = yield* deployment.mark("GET mark-as", subscriberId, undefined, { method: "GET" })
  const badJson = yield* deployment.mark("POST mark-as, a body that is not JSON", noSubscriber, "{")
  const rejected = yield* deployment.mark("POST mark-as, an unknown state", subscriberId, badMark)
  return {
    ...(yield* askAuthorization(deployment)),
    ...askErrorBody(rejected),
    ...askRateLimit(first),
    ...askRequestId(first),
    ...askFramework(first),
    ...(yield* askBodies(deployment, badJson, rejected)),
    ...(yield* askRoutes(deployment)),
    "route.wrongMethod": statusOf(method, ["405", "404"]),
    "request.badJson": statusOf(badJson, ["400", "422"]),
    "request.contentType": yield* askContentType(deployment, subscriberId, entry),
    "request.bodyLimit": yield* askBodyLimit(deployment, subscriberId),
    "mark.badMarkAs": statusOf(rejected, ["400", "422"])
  } satisfies SomeFindings
})
