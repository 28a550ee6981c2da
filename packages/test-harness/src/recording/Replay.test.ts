import { assert, describe, it } from "@effect/vitest"
import type { RecordedExchange } from "./Recording.ts"
import { makeReplay } from "./Replay.ts"

/** An exchange that is known by what its response says. */
const exchange = (response: string, parts: Partial<RecordedExchange> = {}): RecordedExchange => ({
  method: "GET",
  target: "/v1/notifications?limit=5&page=1",
  hasKey: true,
  status: 200,
  headers: {},
  response,
  ...parts
})

const write = { method: "PATCH", target: "/v1/subscribers/ana/credentials" }

/** The responses of a recording to requests, or why it has none. */
const responses = (
  exchanges: ReadonlyArray<RecordedExchange>,
  ...requests: ReadonlyArray<Partial<Parameters<ReturnType<typeof makeReplay>>[0]>>
) => {
  const replay = makeReplay({ version: 1, exchanges })
  return requests.map((parts) => {
    try {
      const { target } = exchange("")
      return replay({ method: "GET", target, authorization: "ApiKey secret-key-1", body: "", ...parts }).response
    } catch (error) {
      return (error as RangeError).message
    }
  })
}

describe("a replayed recording", () => {
  it("has the responses to equal requests in order, and the last one again", () => {
    assert.deepStrictEqual(responses([exchange("one"), exchange("two")], {}, {}, {}), ["one", "two", "two"])
  })

  it("reads the names of a query in any order, and the values of one in their own", () => {
    const target = "/v1/notifications?channels=sms&limit=5&channels=email"
    const turned = "/v1/notifications?limit=5&channels=email&channels=sms"
    assert.deepStrictEqual(
      responses(
        [exchange("one", { target })],
        { target: "/v1/notifications?limit=5&channels=sms&channels=email" },
        { target: turned }
      ),
      ["one", `the recording has no response to GET ${turned}; the nearest that it has is GET ${target}`]
    )
  })

  it("reads bodies as JSON, whose fields have no order", () => {
    const body = { providerId: "fcm", credentials: { channel: "a" } }
    assert.deepStrictEqual(
      responses(
        [exchange("one", { ...write, body })],
        { ...write, body: `{ "credentials": { "channel": "a" }, "providerId": "fcm" }` },
        { ...write, body: `{ "providerId": "apns" }` }
      ),
      ["one", `the recording has no response to PATCH ${write.target}; it has one to another body`]
    )
  })

  it("prefers exchanges with a key for requests with one, and those that did not reject it", () => {
    const exchanges = [
      exchange("without a key", { hasKey: false, status: 401 }),
      exchange("rejected", { status: 403 }),
      exchange("read")
    ]
    assert.deepStrictEqual(responses(exchanges, {}, { authorization: undefined }, {}), [
      "read",
      "without a key",
      "read"
    ])
    assert.deepStrictEqual(responses(exchanges.slice(0, 2), {}), ["rejected"])
    assert.deepStrictEqual(responses(exchanges.slice(0, 1), {}), ["without a key"])
  })

  it("names the recorded request of the same path with the fewest other parameters", () => {
    const near = "/v1/notifications?limit=5&page=2"
    const exchanges = [
      exchange("", { target: "/v1/notifications?limit=9&page=8" }),
      exchange("", { target: near }),
      exchange("", { target: "/v1/notifications" }),
      exchange("", { method: "POST" }),
      exchange("", write)
    ]
    const none = "the recording has no response to GET /v1/notifications?limit=5&page=1"
    assert.deepStrictEqual(responses(exchanges, {}), [`${none}; the nearest that it has is GET ${near}`])
    assert.deepStrictEqual(responses(exchanges.slice(3), {}), [none])
  })
})
