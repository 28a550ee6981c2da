import { assert, describe, it } from "@effect/vitest"
import { adviseRead, adviseWrite, type FailedCall, waitInWords } from "./Advice.ts"
import * as Reasons from "./Reason.ts"

const response = { message: "", status: 400 }

const call = (given: Partial<FailedCall> = {}): FailedCall => ({
  attempts: [{ number: 1, startedAt: 0, durationMs: 0, delayMs: 0, outcome: "other" }],
  mayHaveArrived: false,
  isUnsafeToRetry: false,
  ...given
})

const timeout = new Reasons.Timeout({ message: "", delivery: "not-sent", scope: "call", limitMs: 1 })

describe("the advice of a failed read", () => {
  it.each<readonly [Reasons.CommonReason, string]>([
    [new Reasons.InvalidRequest({ message: "", fields: [] }), "Correct the input. Nothing was sent."],
    [
      new Reasons.TransportFailure({ message: "", delivery: "unknown" }),
      "Check the base URL and the network, then retry."
    ],
    ...["EMFILE", "ENFILE"].map(
      (code) =>
        [
          new Reasons.TransportFailure({ message: "", delivery: "not-sent", code }),
          "Too many files are open: raise the limit (ulimit -n), then retry."
        ] as const
    ),
    [timeout, "Retry, or allow more time."],
    [new Reasons.Unauthorized(response), "Check the API key and that it belongs to this base URL."],
    [new Reasons.PaymentRequired(response), "Stay within the limits of the environment's plan."],
    [new Reasons.Forbidden(response), "Use an API key that may do this."],
    [new Reasons.NotFound(response), "Check the identifiers and the environment of the API key."],
    [
      new Reasons.NotFound({ ...response, body: '{"message":"Subscriber not found"}' }),
      "Check the identifiers and the environment of the API key."
    ],
    ...["<html>nginx</html>", "404 page not found"].map(
      (body) =>
        [new Reasons.NotFound({ ...response, body }), "Check the base URL: another server may have responded."] as const
    ),
    [new Reasons.PayloadTooLarge(response), "Send less in one request."],
    [new Reasons.Conflict(response), "Read the current state first."],
    [new Reasons.Rejected(response), "Correct the request as the response says."],
    [new Reasons.Rejected({ ...response, status: 407 }), "Check the address and the password of the proxy."],
    [new Reasons.RateLimited(response), "Wait before retrying, and send fewer requests at a time."],
    [new Reasons.RateLimited({ ...response, retryAfterMs: 10_001 }), "Retry after 11 s."],
    [
      new Reasons.RateLimited({ ...response, retryAfterMs: 0 }),
      "Wait before retrying, and send fewer requests at a time."
    ],
    [new Reasons.ServerFailure({ ...response, replayed: false }), "Retry later."],
    [
      new Reasons.ServerFailure({ ...response, replayed: true }),
      "This is a stored response; retry with a new idempotency key when the service has recovered."
    ],
    [new Reasons.UnexpectedStatus(response), "Check the base URL: another server may have responded."],
    [
      new Reasons.MalformedResponse({ ...response, accepted: false }),
      "Check the base URL, and which responses this client accepts."
    ],
    [
      new Reasons.MalformedResponse({ ...response, accepted: false, isCutOff: true }),
      "Check the base URL and the network, then retry."
    ],
    [new Reasons.MalformedResponse(response), "Check the base URL: another server may have responded."],
    [new Reasons.Rejected({ ...response, status: 408 }), "Retry later."],
    [new Reasons.Rejected({ ...response, status: 425 }), "Retry later."]
  ])("$_tag: %s", (reason, advice) => {
    assert.deepStrictEqual(adviseRead(reason, call({ mayHaveArrived: true })), { mayHaveBeenApplied: false, advice })
  })

  it("reports that nothing was sent if there was no attempt", () => {
    assert.strictEqual(adviseRead(timeout, call({ attempts: [] })).advice, "Allow more time. Nothing was sent.")
  })
})

describe("the advice of a failed write", () => {
  const advise = adviseWrite(({ _tag }) => _tag === "Timeout" || _tag === "MalformedResponse")
  const timedOut = call({ attempts: [{ number: 1, startedAt: 0, durationMs: 0, delayMs: 0, outcome: "Timeout" }] })

  it("is that of a read where nothing can have been applied, or a retry does no harm", () => {
    const rejected = new Reasons.Rejected(response)
    assert.deepStrictEqual(advise(rejected, call({ isUnsafeToRetry: true })), {
      mayHaveBeenApplied: false,
      advice: "Correct the request as the response says."
    })
    assert.deepStrictEqual(advise(timeout, timedOut), {
      mayHaveBeenApplied: true,
      advice: "Retry, or allow more time."
    })
  })

  it("is to check first where a retry can do harm", () => {
    const unsafe = { isUnsafeToRetry: true }
    assert.deepStrictEqual(advise(timeout, { ...timedOut, ...unsafe }), {
      mayHaveBeenApplied: true,
      advice: "It is unknown whether the change was applied. Check before retrying."
    })
    assert.deepStrictEqual(advise(timeout, call({ ...unsafe, mayHaveArrived: true })), {
      mayHaveBeenApplied: true,
      advice: "An earlier attempt may have been applied. Check before retrying."
    })
    assert.deepStrictEqual(advise(timeout, call(unsafe)), {
      mayHaveBeenApplied: false,
      advice: "Retry, or allow more time."
    })
  })

  it("names the key where the key is the reason", () => {
    const reused = new Reasons.IdempotencyKeyReused(response)
    assert.strictEqual(
      advise(new Reasons.RequestInFlight(response), call()).advice,
      "Wait for the request with this idempotency key to finish, then retry with the same key."
    )
    assert.strictEqual(
      advise(reused, call()).advice,
      "Use a new idempotency key; another request used this one before."
    )
    assert.strictEqual(
      advise(reused, call({ mayHaveArrived: true })).advice,
      "An earlier attempt may have been applied. Check before retrying with a new idempotency key."
    )
  })

  it("is not to retry a change that was accepted", () => {
    const malformed = new Reasons.MalformedResponse({ ...response, accepted: true })
    assert.strictEqual(
      advise(malformed, call({ isUnsafeToRetry: true })).advice,
      "The change was accepted; do not retry."
    )
  })

  it("is to check the base URL where another server may have responded", () => {
    const attempt = { number: 1, startedAt: 0, durationMs: 0, delayMs: 0, outcome: "MalformedResponse" }
    const page = new Reasons.MalformedResponse({ ...response, status: 200 })
    assert.deepStrictEqual(advise(page, call({ isUnsafeToRetry: true, attempts: [attempt] })), {
      mayHaveBeenApplied: true,
      advice: "Check the base URL: another server may have responded."
    })
  })

  it("is to check the base URL where a server redirects, although it may have applied the change", () => {
    const redirect = new Reasons.UnexpectedStatus({ message: "", status: 301 })
    assert.deepStrictEqual(advise(redirect, call({ isUnsafeToRetry: true, mayHaveArrived: true })), {
      mayHaveBeenApplied: true,
      advice: "Check the base URL: another server may have responded."
    })
  })

  it("is to check first where the body of a response broke off that has no content type of JSON", () => {
    const attempt = { number: 1, startedAt: 0, durationMs: 0, delayMs: 0, outcome: "MalformedResponse" }
    const half = new Reasons.MalformedResponse({ ...response, status: 200, isCutOff: true })
    assert.deepStrictEqual(advise(half, call({ isUnsafeToRetry: true, attempts: [attempt] })), {
      mayHaveBeenApplied: true,
      advice: "It is unknown whether the change was applied. Check before retrying."
    })
  })
})

it.each([
  [0, "0 ms"],
  [0.4, "1 ms"],
  [9999, "9999 ms"],
  [10_000, "10 s"],
  [10_001, "11 s"],
  [599_999, "600 s"],
  [600_000, "10 min"],
  [600_001, "11 min"],
  [86_400_000, "24 h"],
  [30 * 86_400_000, "30 days"]
])("a wait of %d ms is %s", (milliseconds, words) => {
  assert.strictEqual(waitInWords(milliseconds), words)
})
