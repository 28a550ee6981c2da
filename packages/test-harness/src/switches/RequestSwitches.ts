import { rowsAbout } from "./SwitchRow.ts"

const errors = rowsAbout(
  "Errors",
  "Error status codes, error body shape and error conditions (for example unknown subscriber, invalid `markAs`, missing key): not shown."
)

const idempotency = rowsAbout("Endpoints", "The effect of repeating a request with the same key: not shown.")

const limits = rowsAbout(
  "Limits",
  "Rate limits, idempotency-key retention window, and the concrete date range allowed by the plan: not shown."
)

const bodies = rowsAbout(
  "Conventions",
  "all bodies are JSON (`Content-Type: application/json` for requests with a body)."
)

export const requestSwitches = {
  "auth.missingKey": errors("Status when the request has no Authorization header", ["401", "400", "403"], "401"),
  "auth.wrongKey": errors("Status when the API key is unknown or the scheme is not `ApiKey`", ["401", "403"], "401"),
  "route.wrongMethod": errors(
    "Status when a documented path is requested with the wrong method",
    ["405", "404"],
    "404"
  ),
  "route.path": errors(
    "Whether another case, or a slash at the end of a documented path, still matches it",
    ["exact", "lenient"],
    "lenient",
    { adversarial: "exact" }
  ),
  "route.badPath": errors(
    "Status when a path has a percent sign that starts no valid sequence, such as `%zz`",
    ["404", "400"],
    "400"
  ),
  "route.head": errors(
    "Response to `HEAD`: an unknown method, or the head of the response to `GET`",
    ["wrong-method", "as-get"],
    "as-get",
    { adversarial: "wrong-method" }
  ),
  "route.options": errors(
    "Response to `OPTIONS`, on any path: an unknown method, or 204 with CORS headers",
    ["wrong-method", "204"],
    "204",
    { adversarial: "wrong-method" }
  ),
  "request.order": errors(
    "Which comes first: the API key, route and rate limit, or the body; a body that cannot be read is then rejected without rate-limit headers, whatever the key",
    ["key-first", "body-first"],
    "body-first"
  ),
  "request.badJson": errors("Status when the body is not valid JSON", ["400", "422"], "400"),
  "request.json": errors(
    "What a JSON body may be: any JSON value; or an object or array, where an empty body is an empty object and a byte-order mark is skipped",
    ["standard", "objects-only"],
    "objects-only"
  ),
  "request.nesting": errors(
    "Result of JSON that is nested more than 500 levels deep: rejected like a body that is not JSON, or 500",
    ["rejected", "500"],
    "500"
  ),
  "request.encoding": bodies(
    "Handling of a JSON body in a charset that is no UTF, or that is not compressed as its `Content-Encoding` says: read as UTF-8, or 500",
    ["ignored", "500"],
    "500"
  ),
  "request.contentType": bodies(
    "Handling of a body with another content type; `json-or-form` reads forms too, and ignores any other body, JSON of another name included",
    ["415", "400", "accepted", "body-ignored", "json-or-form"],
    "json-or-form",
    { adversarial: "body-ignored" }
  ),
  "request.bodyLimit": limits(
    "Maximum size of a request body, `100kB` being 102,400 bytes; larger bodies are rejected with 413",
    ["1MB", "100kB", "none"],
    "100kB",
    { adversarial: "100kB" }
  ),
  "idempotency.sameBody": idempotency(
    "Effect of retrying a completed request with the same key and the same body",
    ["apply", "replay"],
    "replay",
    { adversarial: "apply" }
  ),
  "idempotency.otherBody": idempotency(
    "Result of reusing a key with a different body (unless idempotency.sameBody is apply)",
    ["422", "409", "400", "apply"],
    "422"
  ),
  "idempotency.inFlight": idempotency(
    "Result of reusing a key while its first request is in flight (unless idempotency.sameBody is apply)",
    ["409", "wait", "apply"],
    "409",
    { adversarial: "409" }
  ),
  "idempotency.scope": idempotency(
    "Scope of a key: one path, the whole environment, or all environments of its organization",
    ["operation", "environment", "organization"],
    "organization"
  ),
  "idempotency.retention": limits("How long the response to a key is stored", ["24h", "1h", "forever"], "24h", {
    adversarial: "1h"
  }),
  "idempotency.errors": idempotency(
    "Result of retrying a failed request with the same key (unless idempotency.sameBody is apply)",
    ["not-cached", "cached", "replayed-as-503"],
    "replayed-as-503"
  ),
  "idempotency.body": idempotency(
    "Whether key order matters when request bodies are compared",
    ["canonical", "as-sent"],
    "as-sent"
  ),
  "idempotency.reads": idempotency("Effect of the header on listing events", ["ignored", "honoured"], "ignored"),
  "idempotency.echo": idempotency(
    "Whether the response includes `Idempotency-Key` and, when replayed, `Idempotency-Replay`",
    ["echoed", "absent"],
    "echoed"
  ),
  "idempotency.link": idempotency(
    "Whether errors about a key (409 and 422) include a `Link` header to the documentation",
    ["absent", "present"],
    "present"
  ),
  "idempotency.keyLimit": idempotency("Maximum length of a key, in characters", ["255", "none"], "255", {
    adversarial: "255"
  }),
  "rateLimit.plan": limits(
    "Requests allowed per second (writes and event lists): free 20 and 30, pro 80 and 120, business 200 and 300, unlimited 2000 and 3000",
    ["off", "free", "pro", "business", "unlimited"],
    "free",
    { adversarial: "free" }
  ),
  "rateLimit.headers": limits("Whether responses include `RateLimit-*` headers", ["present", "absent"], "present"),
  "rateLimit.refill": limits(
    "How a bucket fills again: all the time, and `RateLimit-Reset` is the time until it is full; or only when it is empty, in whole tokens, and `RateLimit-Reset` is the time until the next one",
    ["continuous", "whole-tokens"],
    "whole-tokens"
  ),
  "rateLimit.retryAfter": limits("Format of `Retry-After` on 429", ["seconds", "http-date", "absent"], "seconds")
} as const
