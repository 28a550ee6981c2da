import { assert, describe, it } from "@effect/vitest"
import { isReplay, reasonOf, type FailedResponse } from "./Classify.ts"
import type { ErrorBody } from "./ErrorBody.ts"

const reason = (status: number, body: ErrorBody = {}, more: Partial<FailedResponse> = {}) =>
  reasonOf({ status, headers: {}, body, hint: undefined, key: undefined, parameters: [], ...more })

describe("the reason of a failed response", () => {
  it("follows from the bounds of its class of status", () => {
    const tags = [199, 300, 399, 400, 499, 500, 599, 600].map((status) => reason(status)._tag)
    const [unexpected, rejected, failure] = ["UnexpectedStatus", "Rejected", "ServerFailure"]
    assert.deepStrictEqual(tags, [unexpected, unexpected, unexpected, rejected, rejected, failure, failure, unexpected])
  })
  it("has the wait that the service asks for, wherever a later retry can succeed", () => {
    for (const status of [400, 409, 429, 503]) {
      assert.include(reason(status, {}, { hint: 7000 }), { retryAfterMs: 7000 })
      assert.notProperty(reason(status), "retryAfterMs")
    }
  })
  it("carries what the service body", () => {
    const body: ErrorBody = { detail: "No", fields: [{ path: "limit", rule: "Too large" }], body: "{}" }
    assert.deepInclude(reason(400, body), body)
  })
})

describe("a redirect that a browser hides", () => {
  it("is described in words, and has no status", () => {
    const hidden = reason(0)
    assert.strictEqual(hidden._tag, "UnexpectedStatus")
    assert.strictEqual(hidden.message, "a redirect, which the browser hides")
    assert.notProperty(hidden, "status")
  })
})

describe("a redirect", () => {
  it.each([
    ["https://user:secret@api.example.com/v1?token=secret", "301: redirects to https://api.example.com"],
    ["/login?token=secret", "301"],
    ["", "301"]
  ])("to %j shows the origin that may be the right base URL, and no more", (location, message) => {
    assert.strictEqual(reason(301, {}, { headers: { location } }).message, message)
  })
})

describe("the message of a reason", () => {
  const limit = { path: "limit", rule: "Too large" }
  const cases: ReadonlyArray<readonly [string, number, ErrorBody, string]> = [
    ["a status alone", 404, {}, "404 Not Found"],
    ["a status without a phrase", 418, {}, "418"],
    ["a status without a phrase and a detail", 418, { detail: "No" }, "418: No"],
    ["a detail", 400, { detail: "No" }, "400 Bad Request: No"],
    ["a detail that repeats the phrase", 401, { detail: "unauthorized" }, "401 Unauthorized"],
    ["a detail that repeats the phrase as a sentence", 401, { detail: "Unauthorized!" }, "401 Unauthorized"],
    ["a detail that starts with the phrase", 402, { detail: "Payment Required: over" }, "402 Payment Required: over"],
    ["a detail that continues the phrase", 404, { detail: "Not Found here" }, "404 Not Found: Not Found here"],
    ["one issue", 422, { fields: [limit] }, "422 Unprocessable Content: limit: Too large"],
    ["a detail and an issue", 400, { detail: "No", fields: [limit] }, "400 Bad Request: No: limit: Too large"],
    ["an issue that is the detail", 400, { detail: "No", fields: [{ path: "", rule: "No" }] }, "400 Bad Request: No"],
    ["several issues", 400, { fields: [limit, limit, limit] }, "400 Bad Request: limit: Too large (and 2 more)"]
  ]
  for (const [name, status, body, expected] of cases) {
    it(`reports ${name}`, () => {
      assert.strictEqual(reason(status, body).message, expected)
    })
  }
})

describe("the phrase of a status", () => {
  it.each([
    "400 Bad Request",
    "401 Unauthorized",
    "402 Payment Required",
    "403 Forbidden",
    "404 Not Found",
    "408 Request Timeout",
    "409 Conflict",
    "413 Payload Too Large",
    "422 Unprocessable Content",
    "425 Too Early",
    "429 Too Many Requests",
    "500 Internal Server Error",
    "502 Bad Gateway",
    "503 Service Unavailable",
    "504 Gateway Timeout"
  ])("%s", (line) => {
    assert.strictEqual(reason(Number.parseInt(line, 10)).message, line)
  })
  it("and what follows it are one line of 200 characters", () => {
    const detail = "x".repeat(300)
    const { message } = reason(404, { detail })
    assert.lengthOf(message, 200)
    assert.isTrue(message.startsWith("404 Not Found: xxx") && message.endsWith("x…"))
  })
})

describe("a stored response", () => {
  it("is known by either header, however it is written", () => {
    assert.isTrue(isReplay({ "idempotency-replay": "true" }))
    assert.isTrue(isReplay({ "idempotency-replay": " TRUE " }))
    assert.isTrue(isReplay({ "idempotent-replayed": "true" }))
    assert.isFalse(isReplay({ "idempotency-replay": "false" }))
    assert.isFalse(isReplay({}))
  })
})
