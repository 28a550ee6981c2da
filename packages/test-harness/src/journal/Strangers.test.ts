import { assert, describe, it } from "@effect/vitest"
import { makeStrangers, type Stranger, strangerLines } from "./Strangers.ts"

const request: Omit<Stranger, "number"> = {
  surface: "fetch",
  at: 5,
  method: "GET",
  path: "/v1/notifications",
  operation: "events.list",
  key: "unknown",
  status: 401
}

describe("Strangers", () => {
  it("shows to each reader who came since", () => {
    const strangers = makeStrangers()
    const first = strangers.fromNow()
    strangers.note(request)
    const second = strangers.fromNow()
    strangers.note({ ...request, key: "missing" })
    assert.deepStrictEqual(first.entries(), [
      { number: 1, ...request },
      { number: 2, ...request, key: "missing" }
    ])
    assert.deepStrictEqual(
      second.entries().map(({ number }) => number),
      [2]
    )
    assert.deepStrictEqual([first.count(), second.count(), strangers.fromNow().count()], [2, 1, 0])
  })

  it("keeps the last hundred, and knows how many came", () => {
    const strangers = makeStrangers()
    const all = strangers.fromNow()
    for (let at = 1; at <= 250; at += 1) strangers.note({ ...request, at })
    assert.strictEqual(all.count(), 250)
    assert.deepStrictEqual(
      all.entries().map(({ number }) => number),
      Array.from({ length: 100 }, (_, place) => 151 + place)
    )
    assert.deepStrictEqual(strangerLines(all), [
      "100 requests came with an API key that no environment has: events.list, told 401",
      "150 more came for no environment before these"
    ])
  })

  it("says in one line for each kind of key who came", () => {
    const strangers = makeStrangers()
    const seen = strangers.fromNow()
    assert.deepStrictEqual(strangerLines(seen), [])
    strangers.note(request)
    strangers.note({ ...request, operation: "credentials.upsert" })
    strangers.note({ ...request, key: "malformed", operation: undefined, path: "/v2/x", status: 404 })
    for (const status of [401, 402, 403, 404]) strangers.note({ ...request, key: "missing", status })
    assert.deepStrictEqual(strangerLines(seen), [
      "2 requests came with an API key that no environment has: events.list, told 401; credentials.upsert, told 401",
      "4 requests came without an API key: events.list, told 402; events.list, told 403; events.list, told 404; and others",
      "1 request came without the header Authorization: ApiKey <key>: GET /v2/x, told 404"
    ])
  })
})
