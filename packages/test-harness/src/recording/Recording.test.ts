import { assert, describe, it } from "@effect/vitest"
import { presetOf, type RecordedExchange, shownSwitches } from "./Recording.ts"

const exchange = (parts: Partial<RecordedExchange> = {}): RecordedExchange => ({
  method: "GET",
  target: "/v1/notifications",
  hasKey: true,
  status: 200,
  headers: { etag: 'W/"1"', "x-request-id": "r1" },
  ...parts
})

const limited = (headers: RecordedExchange["headers"]) => exchange({ status: 429, headers })

/** The switches that one exchange shows, with their values. */
const shownBy = (one: RecordedExchange) =>
  Object.fromEntries(shownSwitches([one]).map(({ name, values }) => [name, [...values.keys()].join()]))

const response = { "response.etag": "weak", "response.requestId": "x-request-id" }

describe("a recorded exchange", () => {
  it.each<readonly [string, RecordedExchange, object]>([
    ["the headers of a response", exchange(), response],
    ["headers that it lacks", exchange({ headers: {} }), { "response.etag": "absent", "response.requestId": "absent" }],
    ["the status for a wrong key", exchange({ status: 403 }), { "auth.wrongKey": "403" }],
    ["the status without a key", exchange({ status: 401, hasKey: false }), { "auth.missingKey": "401" }],
    [
      "the envelope of a write",
      exchange({ method: "PATCH", response: { data: {} } }),
      { ...response, envelope: "data" }
    ],
    ["no envelope", exchange({ method: "PATCH", response: { data: {}, _id: "1" } }), { ...response, envelope: "bare" }],
    ["nothing about the envelope of a list", exchange({ response: { data: [] } }), response],
    ["no envelope of an error", exchange({ method: "PATCH", status: 422, response: { message: "no" } }), {}],
    [
      "times with milliseconds",
      exchange({ response: { data: [{ createdAt: "2026-05-01T08:00:00.000Z" }] } }),
      { ...response, "time.format": "milliseconds" }
    ],
    [
      "times with seconds",
      exchange({ response: { data: [{ createdAt: "2026-05-01T08:00:00Z" }] } }),
      { ...response, "time.format": "seconds" }
    ],
    [
      "times with an offset",
      exchange({ response: { data: [{ createdAt: "2026-05-01T08:00:00+02:00" }] } }),
      { ...response, "time.format": "offset" }
    ],
    ["no wait", limited({}), { "rateLimit.retryAfter": "absent", "rateLimit.headers": "absent" }],
    [
      "a wait in seconds",
      limited({ "retry-after": "30" }),
      { "rateLimit.retryAfter": "seconds", "rateLimit.headers": "absent" }
    ],
    [
      "a wait until a date that starts and ends with digits",
      limited({ "retry-after": "01 May 2026", "ratelimit-limit": "60" }),
      { "rateLimit.retryAfter": "http-date", "rateLimit.headers": "present" }
    ],
    [
      "a limit",
      exchange({ headers: { "ratelimit-limit": "60" } }),
      { "response.etag": "absent", "response.requestId": "absent", "rateLimit.headers": "present" }
    ]
  ])("shows %s", (_what, one, switches) => {
    assert.deepStrictEqual<unknown>(shownBy(one), switches)
  })
})

describe("the preset of a recording", () => {
  it("has the switches without contradiction, and the first five exchanges that show each", () => {
    const exchanges = [...Array.from({ length: 6 }, () => exchange()), exchange({ headers: { etag: "1" } })]
    assert.deepStrictEqual(presetOf({ version: 1, exchanges }), {
      version: 1,
      switches: { "response.etag": "weak" },
      evidence: { "response.etag": "exchanges 1, 2, 3, 4, 5" }
    })
  })
})
