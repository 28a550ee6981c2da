import { assert, describe, it } from "@effect/vitest"
import type { JournalEntry } from "../../journal/JournalEntry.ts"
import { describeCall } from "../CheckedCall.ts"
import { type CheckRuleName, checkRules } from "../CheckRules.ts"
import type { CheckRun, MadeCall } from "../CheckRun.ts"

/** A request of 5 ms that got a response, at a time. */
const request = (number: number, at: number, status: number, parts: Partial<JournalEntry> = {}) => ({
  number,
  at,
  endedAt: at + 5,
  method: "PATCH",
  outcome: { _tag: "Response", status },
  points: ["received", "validated", "committed", "answering", "answered"].map((point) => ({ point, at })),
  responseHeaders: {},
  faults: [],
  idempotencyKey: "k1",
  replayed: false,
  applied: status < 300,
  ...parts
})

const refused = (number: number, at: number) =>
  request(number, at, 0, { outcome: { _tag: "NoResponse", failure: "refuse" }, points: [], applied: false })

const reset = (number: number, at: number) =>
  request(number, at, 0, { outcome: { _tag: "NoResponse", failure: "reset" }, applied: false })

/** A request whose client stopped waiting. */
const left = (number: number, at: number) =>
  request(number, at, 0, { method: "GET", outcome: { _tag: "ClientDisconnected" }, applied: false })

const upsert = {
  operation: "credentials.upsert",
  subscriberId: "ada",
  providerId: "fcm",
  credentials: { deviceTokens: ["phone"] }
}

const list = { operation: "events.list", limit: 10 }

interface Parts {
  readonly call?: object
  readonly requests?: ReadonlyArray<object>
  readonly result?: object
  readonly endedAt?: number | undefined
  readonly maxRequests?: number
}

const made = ({ call = upsert, requests = [], result = { outcome: "failed" }, ...others }: Parts) =>
  // Only the parts of a call that rules read.
  ({ call, requests, result, startedAt: 0, endedAt: 100, deadlineMs: 5_000, ...others }) as unknown as MadeCall

/** The messages of a rule about some calls, without the description of the call. */
const messagesOf = (rule: CheckRuleName, parts: ReadonlyArray<Parts>, run: Partial<CheckRun> = {}) => {
  const calls = parts.map(made)
  const breaches = checkRules[rule].check({
    calls,
    toleranceMs: 0,
    isConcurrent: false,
    keepsContract: true,
    timersLeft: 0,
    vendor: "service",
    records: { subscribers: [{ subscriberId: "ada", channels: [] }], messages: [] },
    ...run
    // Only the parts of a run that rules read.
  } as unknown as CheckRun)
  return breaches.map(({ call = 0, message }) => {
    const about = calls[call - 1]?.call
    return about === undefined ? message : message.replace(`call ${call}, ${describeCall(about)}: `, "")
  })
}

const wait = { responseHeaders: { "retry-after": "2" } }

describe("the rules of a check", () => {
  it.each<readonly [CheckRuleName, string, ReadonlyArray<Parts>, ReadonlyArray<string>]>([
    [
      "called-after-deadline",
      "a retry after the deadline",
      [{ requests: [reset(1, 0), reset(2, 5_000), reset(3, 5_001)] }],
      ["request 3 came 5001 ms after the first one, the deadline is 5000 ms"]
    ],
    [
      "request-after-outcome",
      "a request after the outcome",
      [{ endedAt: 100, requests: [reset(1, 100), reset(2, 130)] }],
      ["request 2 came 30 ms after the outcome"]
    ],
    [
      "continued-after-abort",
      "a request after the abort",
      [{ call: { ...upsert, abortAfterMs: 50 }, requests: [reset(1, 50), reset(2, 80)] }],
      ["request 2 came 30 ms after the abort"]
    ],
    [
      "continued-after-abort",
      "an outcome after the abort, and none",
      [
        { call: { ...upsert, abortAfterMs: 70 }, endedAt: 100 },
        { call: { ...upsert, abortAfterMs: 70 }, endedAt: undefined },
        { call: { ...upsert, abortAfterMs: 100 }, endedAt: 100 }
      ],
      ["the client reported the outcome 30 ms after the abort", "the client reported no outcome after the abort"]
    ],
    [
      "retried-non-idempotent",
      "an append that is sent again without its key, or with another one",
      [
        { requests: [reset(1, 0), request(2, 50, 200, { idempotencyKey: "k2" })] },
        {
          requests: [
            request(3, 0, 503, { idempotencyKey: undefined }),
            request(4, 50, 200, { idempotencyKey: undefined })
          ]
        },
        { requests: [reset(5, 0), request(6, 50, 200)] },
        { requests: [refused(7, 0), request(8, 50, 200, { idempotencyKey: "k2" })] }
      ],
      [
        "request 2 appends again after no response, without the key of request 1",
        "request 4 appends again after the response 503, without the key of request 3"
      ]
    ],
    [
      "new-key-on-retry",
      "a retry with another key",
      [{ requests: [reset(1, 0), request(2, 50, 200, { idempotencyKey: "k2" })] }],
      ["request 2 retries request 1 with another idempotency key"]
    ],
    [
      "retried-rejection",
      "a request that was rejected for good",
      [
        { requests: [request(1, 0, 422), request(2, 50, 422)] },
        { requests: [request(3, 0, 429), request(4, 50, 200)] }
      ],
      ["request 2 was sent again after the response 422"]
    ],
    [
      "ignored-retry-after",
      "a retry before the time that the service named",
      [
        { requests: [request(1, 0, 503, wait), request(2, 1_005, 200)] },
        { requests: [request(3, 0, 429, wait), request(4, 2_005, 200)] },
        { requests: [request(5, 0, 500, wait), request(6, 6, 200)] }
      ],
      ["request 2 came 1000 ms earlier than Retry-After of request 1 allows"]
    ],
    [
      "no-backoff",
      "two retries at once, unless the service asked for a wait or its limit resets",
      [
        { requests: [reset(1, 0), reset(2, 5), reset(3, 11)] },
        { requests: [reset(4, 0), request(5, 5, 429, { responseHeaders: { "ratelimit-reset": "1" } }), reset(6, 11)] },
        { requests: [reset(7, 0), request(8, 5, 503, { responseHeaders: { "ratelimit-reset": "1" } }), reset(9, 11)] }
      ],
      ["requests 2 and 3 followed without a wait", "requests 8 and 9 followed without a wait"]
    ],
    [
      "gave-up-early",
      "a read that failed for now, and a refused write, with time and requests left",
      [
        { maxRequests: 3, call: list, requests: [request(1, 0, 503, { method: "GET" })] },
        { maxRequests: 3, requests: [refused(2, 0)] },
        { maxRequests: 3, call: list, requests: [request(3, 0, 503, { method: "GET", replayed: true })] },
        { maxRequests: 3, call: list, requests: [request(4, 0, 500, { method: "GET" })] },
        { maxRequests: 3, requests: [reset(5, 0)] },
        { maxRequests: 1, requests: [refused(6, 0)] },
        { maxRequests: 3, endedAt: 2_500, requests: [refused(7, 0)] },
        { maxRequests: 3, endedAt: 2_499, requests: [refused(8, 0)] },
        { maxRequests: 3, requests: [request(9, 0, 503, wait)] },
        { maxRequests: 3, call: list, requests: [left(10, 0)] },
        {
          maxRequests: 3,
          call: list,
          requests: [request(11, 0, 503, { method: "GET", responseHeaders: { "retry-after": "3" } })]
        },
        { maxRequests: 3, call: { ...list, abortAfterMs: 101 }, requests: [left(12, 0)] },
        { maxRequests: 3, call: { ...list, abortAfterMs: 100 }, requests: [left(13, 0)] },
        { maxRequests: 3, result: { outcome: "ok" }, requests: [refused(14, 0)] },
        { maxRequests: 3 }
      ],
      [
        "it failed after 1 of 3 requests, with the response 503",
        "it failed after 1 of 3 requests, with no response",
        "it failed after 1 of 3 requests, with no response",
        "it failed after 1 of 3 requests, with no response",
        "it failed after 1 of 3 requests, with no response"
      ]
    ],
    [
      "retry-storm",
      "more requests than allowed, not counting announced waits",
      [
        { maxRequests: 2, requests: [reset(1, 0), reset(2, 10), reset(3, 30)] },
        { maxRequests: 2, requests: [request(4, 0, 503, wait), reset(5, 10), reset(6, 30)] }
      ],
      ["it sent 3 requests"]
    ],
    [
      "effect-twice",
      "an append that was applied twice with one key, and with two",
      [
        { requests: [request(1, 0, 200), request(2, 50, 200)] },
        { requests: [request(3, 0, 200), request(4, 50, 200, { idempotencyKey: "k2" })] }
      ],
      [
        "it was applied 2 times; the client relied on its idempotency key, whose effect the document leaves open (switch idempotency.sameBody)",
        "it was applied 2 times"
      ]
    ],
    [
      "lost-after-ack",
      "a write that is reported as ok and not stored",
      [
        { result: { outcome: "ok" }, requests: [request(1, 0, 200)] },
        { call: list, result: { outcome: "ok" } }
      ],
      ["the client reported ok, but the service does not have the change"]
    ],
    [
      "false-success",
      "an ok without a complete response",
      [
        { result: { outcome: "ok" }, requests: [reset(1, 0)] },
        { result: { outcome: "ok" }, requests: [request(2, 0, 200)] }
      ],
      ["the client reported ok, but it got no complete response"]
    ],
    [
      "false-failure",
      "an applied change that is reported as failed, as not applied or as not sent",
      [
        { result: { outcome: "failed" }, requests: [request(1, 0, 200)] },
        { result: { outcome: "unknown", mayHaveBeenApplied: false }, requests: [request(2, 0, 200)] },
        { result: { outcome: "unknown", delivery: "not-sent" }, requests: [request(3, 0, 200)] },
        { result: { outcome: "unknown" }, requests: [request(4, 0, 200)] },
        { call: list, result: { outcome: "failed" }, requests: [request(5, 0, 200)] }
      ],
      Array.from(
        { length: 3 },
        () => "the client reported that nothing was applied, but the service applied the change"
      )
    ],
    [
      "false-rejection",
      "an accepted change that is reported as not accepted",
      [{ result: { outcome: "unknown", accepted: false }, requests: [request(1, 0, 200)] }],
      ["the client reported that the change was not accepted, but it got a complete response 2xx"]
    ],
    [
      "failed-without-fault",
      "a failure that nothing explains",
      [
        { result: { outcome: "failed" }, requests: [request(1, 0, 500)] },
        { result: { outcome: "unknown" } },
        { result: { outcome: "failed" }, requests: [request(2, 0, 422)] },
        { result: { outcome: "failed" }, requests: [request(3, 0, 500, { faults: ["status 500 at received"] })] },
        { call: { ...upsert, abortAfterMs: 10 }, result: { outcome: "failed" }, requests: [request(4, 0, 500)] }
      ],
      [
        "the client reported failed, and no fault happened; the last request got the response 500",
        "the client reported unknown, and no fault happened; the service received no request"
      ]
    ]
  ])("%s: %s", (rule, _case, calls, messages) => {
    assert.deepStrictEqual(messagesOf(rule, calls), messages)
    // Requests of calls at the same time are not known to belong to one of them.
    assert.deepStrictEqual(messagesOf(rule, calls, { isConcurrent: true }), [])
  })

  it("left-timer: timers that keep the process running", () => {
    assert.deepStrictEqual(messagesOf("left-timer", [], { timersLeft: 2 }), ["timers that are left: 2"])
    assert.deepStrictEqual(messagesOf("left-timer", []), [])
  })

  it("shared-key: the key of a call with other content", () => {
    const second = { ...upsert, subscriberId: "bob" }
    const calls = [
      { requests: [request(1, 0, 200)] },
      { call: { ...upsert, abortAfterMs: 5 }, requests: [request(2, 0, 200)] },
      { call: second, requests: [request(3, 0, 200), request(4, 0, 200, { idempotencyKey: "k2" })] },
      { call: list, requests: [request(5, 0, 200, { method: "GET" })] }
    ]
    assert.deepStrictEqual(messagesOf("shared-key", calls), ["call 3 has the idempotency key of call 1"])
  })

  it.each<readonly [object, ReadonlyArray<object>, string | undefined]>([
    [{ status: 200 }, [request(1, 0, 200)], undefined],
    [{ status: 201 }, [request(1, 0, 200)], "the client reported 201, the responses had: 200 (status)"],
    [{ status: null }, [request(1, 0, 200)], "the client reported null, the responses had: 200 (status)"],
    [{ status: null }, [reset(1, 0)], undefined],
    [{ status: 500 }, [], "the client reported 500, the responses had: none (status)"],
    [{ idempotencyKey: "k1" }, [request(1, 0, 200)], undefined],
    [{ idempotencyKey: "k2" }, [request(1, 0, 200)], "the client reported k2, its requests had: k1 (idempotencyKey)"],
    [
      { attempts: [{}, {}] },
      [request(1, 0, 200)],
      "the client reported 2 attempts, the service received 1 requests (attempts)"
    ],
    [
      { attempts: [{ status: 503 }] },
      [request(1, 0, 200)],
      "attempt 1 has the status 503, the service sent 200 (attempts.status)"
    ],
    [
      { attempts: [{ requestId: "b" }] },
      [request(1, 0, 200, { responseHeaders: { "x-request-id": "a" } })],
      "attempt 1 has the request id b, the service sent a (attempts.status)"
    ],
    [{ attempts: [{ durationMs: 5.5 }] }, [request(1, 0, 200)], undefined],
    [
      { attempts: [{ durationMs: 5.6 }] },
      [request(1, 0, 200)],
      "attempt 1 has a duration of 5.6 ms, its request took 5 ms (attempts.durationMs)"
    ],
    [{ telemetry: { spans: 1, metrics: 1 } }, [request(1, 0, 200)], undefined],
    [{ telemetry: { spans: 0, metrics: 1 } }, [request(1, 0, 200)], "it has no span (telemetry)"],
    [{ telemetry: { spans: 1, metrics: 0 } }, [request(1, 0, 200)], "it has no metric (telemetry)"],
    [{ telemetry: { spans: 0, metrics: 0 } }, [request(1, 0, 200)], "it has no span and no metric (telemetry)"],
    [{ telemetry: { spans: 0, metrics: 0 } }, [], undefined],
    [
      { outcome: "ok", drift: 0 },
      [request(1, 0, 200, { faults: ["unknown-enum-value at answering"] })],
      "the response had an unknown enum value, and the client reported no difference (drift)"
    ],
    [{ outcome: "ok", drift: 1 }, [request(1, 0, 200, { faults: ["unknown-enum-value at answering"] })], undefined],
    [
      { mayHaveBeenApplied: true },
      [request(1, 0, 422)],
      "the client reported that the change may have been applied, but no request can have been (mayHaveBeenApplied)"
    ],
    [{ mayHaveBeenApplied: true }, [request(1, 0, 422), reset(2, 50)], undefined],
    [
      { delivery: "unknown" },
      [refused(1, 0), refused(2, 50)],
      "the client reported an unknown delivery, but every connection was refused (delivery)"
    ],
    [{ delivery: "unknown" }, [refused(1, 0), reset(2, 50)], undefined],
    [{ delivery: "unknown" }, [], undefined]
  ])("wrong-fact: %j", (result, requests, message) => {
    assert.deepStrictEqual(messagesOf("wrong-fact", [{ result, requests }]), message === undefined ? [] : [message])
  })
})
