import { assert, describe, it } from "@effect/vitest"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import type { CheckedList } from "./CheckedCall.ts"
import { wrongRequest } from "./RequestMatch.ts"

const call: CheckedList = {
  operation: "events.list",
  limit: 10,
  page: 2,
  channels: ["email", "sms"],
  subscriberIds: ["ada/b"],
  after: "2026-05-01T08:00:00.000Z"
}

/** How a request for a list differs from the call. */
const wrong = (query: string, parts: Partial<JournalEntry> = {}, of = call) => {
  const sent = { method: "GET", path: "/v1/notifications", query, ...parts }
  // Only the parts of an entry that a list has.
  return wrongRequest(of, sent as JournalEntry, { vendor: "service", isConcurrent: false })
}

const query = "limit=10&page=2&channels=email&channels=sms&subscriberIds=ada%2Fb&after=2026-05-01T08%3A00%3A00.000Z"

describe("a request for a list", () => {
  it("may write its query in any way that the service reads alike", () => {
    const [first, ...others] = query.split("&")
    assert.isUndefined(wrong([...others, first].join("&")))
    assert.isUndefined(wrong(query.replaceAll("channels=", "channels[]=")))
    assert.isUndefined(wrong(query.replace("channels=email&channels=sms", "channels[0]=email&channels[10]=sms")))
    assert.isUndefined(wrong(query.replace("08%3A00%3A00.000Z", "10:00:00%2B02:00")))
    const { page: _, ...firstPage } = call
    assert.isUndefined(wrong(query.replace("page=2", "page=0"), {}, firstPage))
    assert.isUndefined(wrong(query, { path: "/v1/%6eotifications" }))
  })

  it.each<readonly [string, string, Partial<JournalEntry>, string]>([
    ["another limit", query.replace("10", "11"), {}, "its query has limit=11, which was not asked for"],
    ["a filter too few", query.replace("&page=2", ""), {}, "its query lacks page=2"],
    ["a filter too many", `${query}&emails=a`, {}, "its query has emails=a, which was not asked for"],
    ["one of two values", query.replace("&channels=sms", ""), {}, "its query lacks channels=sms"],
    [
      "a time that cannot be read",
      query.replace("2026-05-01T08%3A00%3A00.000Z", "soon"),
      {},
      "its query lacks after=2026-05-01T08:00:00.000Z and has after=soon, which was not asked for"
    ],
    ["another method", query, { method: "POST" }, "its method is POST, not GET"],
    ["another path", query, { path: "/v1/notification" }, "its path is /v1/notification, not /v1/notifications"],
    ["an invalid path", query, { path: "/v1/%" }, "its path is /v1/%, not /v1/notifications"]
  ])("is wrong with %s", (_what, sent, parts, message) => {
    assert.strictEqual(wrong(sent, parts), message)
  })
})
