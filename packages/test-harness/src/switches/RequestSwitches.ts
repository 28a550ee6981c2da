/**
 * Switches for the request pipeline: key, route, body, idempotency, rate limits.
 */
import { row } from "./SwitchRow.ts"

const errors = {
  section: "Errors",
  sentence:
    "Error status codes, error body shape and error conditions (for example unknown subscriber, invalid `markAs`, missing key): not shown.",
  decidedIn: "pipeline"
} as const

const idempotency = {
  section: "Endpoints",
  sentence: "The effect of repeating a request with the same key: not shown.",
  decidedIn: "pipeline"
} as const

const limits = {
  section: "Limits",
  sentence:
    "Rate limits, idempotency-key retention window, and the concrete date range allowed by the plan: not shown.",
  decidedIn: "pipeline"
} as const

/** Rows that the request pipeline applies. */
export const requestSwitches = {
  "auth.missingKey": row(["401", "400", "403"], {
    ...errors,
    question: "Status when the request has no Authorization header",
    observed: "401"
  }),
  "auth.wrongKey": row(["401", "403"], {
    ...errors,
    question: "Status when the API key is unknown or the scheme is not `ApiKey`",
    observed: "401"
  }),
  "route.wrongMethod": row(["405", "404"], {
    ...errors,
    question: "Status when a documented path is requested with the wrong method",
    observed: "404"
  }),
  "route.path": row(["exact", "lenient"], {
    ...errors,
    question: "Whether another case, or a slash at the end of a documented path, still matches it",
    observed: "lenient",
    adversarial: "exact"
  }),
  "route.badPath": row(["404", "400"], {
    ...errors,
    question: "Status when a path has a percent sign that starts no valid sequence, such as `%zz`",
    observed: "400"
  }),
  "route.head": row(["wrong-method", "as-get"], {
    ...errors,
    question: "Response to `HEAD`: an unknown method, or the head of the response to `GET`",
    observed: "as-get",
    adversarial: "wrong-method"
  }),
  "route.options": row(["wrong-method", "204"], {
    ...errors,
    question: "Response to `OPTIONS`, on any path: an unknown method, or 204 with CORS headers",
    observed: "204",
    adversarial: "wrong-method"
  }),
  "request.order": row(["key-first", "body-first"], {
    ...errors,
    question:
      "Which comes first: the API key, route and rate limit, or the body; a body that cannot be read is then rejected without rate-limit headers, whatever the key",
    observed: "body-first"
  }),
  "request.badJson": row(["400", "422"], {
    ...errors,
    question: "Status when the body is not valid JSON",
    observed: "400"
  }),
  "request.json": row(["standard", "objects-only"], {
    ...errors,
    question:
      "What a JSON body may be: any JSON value; or an object or array, where an empty body is an empty object and a byte-order mark is skipped",
    observed: "objects-only"
  }),
  "request.nesting": row(["rejected", "500"], {
    ...errors,
    question: "Result of JSON that is nested more than 500 levels deep: rejected like a body that is not JSON, or 500",
    observed: "500"
  }),
  "request.encoding": row(["ignored", "500"], {
    section: "Conventions",
    sentence: "all bodies are JSON (`Content-Type: application/json` for requests with a body).",
    decidedIn: "pipeline",
    question:
      "Handling of a JSON body in a charset that is no UTF, or with a `Content-Encoding`: read as UTF-8, or 500",
    observed: "500"
  }),
  "request.contentType": row(["415", "400", "accepted", "body-ignored", "json-or-form"], {
    section: "Conventions",
    sentence: "all bodies are JSON (`Content-Type: application/json` for requests with a body).",
    decidedIn: "pipeline",
    question:
      "Handling of a body with another content type; `json-or-form` reads forms too, and ignores any other body, JSON of another name included",
    observed: "json-or-form",
    adversarial: "body-ignored"
  }),
  "request.bodyLimit": row(["1MB", "100kB", "none"], {
    ...limits,
    question: "Maximum size of a request body, `100kB` being 102,400 bytes; larger bodies are rejected with 413",
    observed: "100kB",
    adversarial: "100kB"
  }),
  "idempotency.sameBody": row(["apply", "replay"], {
    ...idempotency,
    question: "Effect of retrying a completed request with the same key and the same body",
    observed: "replay",
    adversarial: "apply"
  }),
  "idempotency.otherBody": row(["422", "409", "400", "apply"], {
    ...idempotency,
    question: "Result of reusing a key with a different body (when keys are honoured)",
    observed: "422"
  }),
  "idempotency.inFlight": row(["409", "wait", "apply"], {
    ...idempotency,
    question: "Result of reusing a key while its first request is in flight (when keys are honoured)",
    observed: "409",
    adversarial: "409"
  }),
  "idempotency.scope": row(["operation", "environment", "organization"], {
    ...idempotency,
    question: "Scope of a key: one path, the whole environment, or all environments of its organization",
    observed: "organization"
  }),
  "idempotency.retention": row(["24h", "1h", "forever"], {
    ...limits,
    question: "How long the response to a key is stored",
    observed: "24h",
    adversarial: "1h"
  }),
  "idempotency.errors": row(["not-cached", "cached", "replayed-as-503"], {
    ...idempotency,
    question: "Result of retrying a failed request with the same key (when keys are honoured)",
    observed: "replayed-as-503"
  }),
  "idempotency.body": row(["canonical", "as-sent"], {
    ...idempotency,
    question: "Whether key order matters when request bodies are compared",
    observed: "as-sent"
  }),
  "idempotency.reads": row(["ignored", "honoured"], {
    ...idempotency,
    question: "Effect of the header on listing events",
    observed: "ignored"
  }),
  "idempotency.echo": row(["echoed", "absent"], {
    ...idempotency,
    question: "Whether the response includes `Idempotency-Key` and, when replayed, `Idempotency-Replay`",
    observed: "echoed"
  }),
  "idempotency.link": row(["absent", "present"], {
    ...idempotency,
    question: "Whether errors about a key (409 and 422) include a `Link` header to the documentation",
    observed: "present"
  }),
  "idempotency.keyLimit": row(["255", "none"], {
    ...idempotency,
    question: "Maximum length of a key, in characters",
    observed: "255",
    adversarial: "255"
  }),
  "rateLimit.plan": row(["off", "free", "pro", "business", "unlimited"], {
    ...limits,
    question:
      "Requests allowed per second (writes and event lists): free 20 and 30, pro 80 and 120, business 200 and 300, unlimited 2000 and 3000",
    observed: "free",
    adversarial: "free"
  }),
  "rateLimit.headers": row(["present", "absent"], {
    ...limits,
    question: "Whether responses include `RateLimit-*` headers",
    observed: "present"
  }),
  "rateLimit.refill": row(["continuous", "whole-tokens"], {
    ...limits,
    question:
      "How a bucket fills again: all the time, and `RateLimit-Reset` is the time until it is full; or only when it is empty, in whole tokens, and `RateLimit-Reset` is the time until the next one",
    observed: "whole-tokens"
  }),
  "rateLimit.retryAfter": row(["seconds", "http-date", "absent"], {
    ...limits,
    question: "Format of `Retry-After` on 429",
    observed: "seconds"
  })
} as const
