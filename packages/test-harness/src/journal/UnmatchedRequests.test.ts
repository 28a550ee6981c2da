import { assert, describe, it } from "@effect/vitest"
import { makeUnmatchedRequests, type UnmatchedRequest, unmatchedRequestLines } from "./UnmatchedRequests.ts"

const request: Omit<UnmatchedRequest, "number"> = {
  surface: "fetch",
  at: 5,
  method: "GET",
  path: "/v1/notifications",
  operation: "events.list",
  key: "unknown",
  status: 401
}

describe("UnmatchedRequests", () => {
  it("shows each reader the requests since it started", () => {
    const unmatchedRequests = makeUnmatchedRequests()
    const first = unmatchedRequests.fromNow()
    unmatchedRequests.add(request)
    const second = unmatchedRequests.fromNow()
    unmatchedRequests.add({ ...request, key: "missing" })
    assert.deepStrictEqual(first.entries(), [
      { number: 1, ...request },
      { number: 2, ...request, key: "missing" }
    ])
    assert.deepStrictEqual(
      second.entries().map(({ number }) => number),
      [2]
    )
    assert.deepStrictEqual([first.count(), second.count(), unmatchedRequests.fromNow().count()], [2, 1, 0])
  })

  it("keeps the last hundred, and counts all", () => {
    const unmatchedRequests = makeUnmatchedRequests()
    const all = unmatchedRequests.fromNow()
    for (let at = 1; at <= 250; at += 1) unmatchedRequests.add({ ...request, at })
    assert.strictEqual(all.count(), 250)
    assert.deepStrictEqual(
      all.entries().map(({ number }) => number),
      Array.from({ length: 100 }, (_, place) => 151 + place)
    )
    assert.deepStrictEqual(unmatchedRequestLines(all), [
      "100 requests came with an API key that no environment has: events.list got 401",
      "150 older unmatched requests were evicted"
    ])
  })

  it("summarizes the requests in one line for each key problem", () => {
    const unmatchedRequests = makeUnmatchedRequests()
    const seen = unmatchedRequests.fromNow()
    assert.deepStrictEqual(unmatchedRequestLines(seen), [])
    unmatchedRequests.add(request)
    unmatchedRequests.add({ ...request, operation: "credentials.upsert" })
    unmatchedRequests.add({ ...request, key: "malformed", operation: undefined, path: "/v2/x", status: 404 })
    for (const status of [401, 402, 403, 404]) unmatchedRequests.add({ ...request, key: "missing", status })
    assert.deepStrictEqual(unmatchedRequestLines(seen), [
      "2 requests came with an API key that no environment has: events.list got 401; credentials.upsert got 401",
      "4 requests came without an API key: events.list got 402; events.list got 403; events.list got 404; and others",
      "1 request came without the header Authorization: ApiKey <key>: GET /v2/x got 404"
    ])
  })
})
