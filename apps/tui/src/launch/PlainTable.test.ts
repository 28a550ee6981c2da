import { assert, describe, it } from "@effect/vitest"
import { event } from "../../test/Sample.ts"
import { width } from "@signalbox/operator/text/Width"
import { plainTable } from "./PlainTable.ts"

describe("plainTable", () => {
  it("is one line an event, its time first, its cause last", () => {
    const [failed = "", good = "", end] = plainTable([event(2, { fails: true }), event(3)]).split("\n")
    assert.match(
      failed,
      /^2026-11-21T12:40:\d\d\.000Z {2}FAILED {2}comment-mention {2}u_10002 {2}in_app,chat {2}txn_0002 {2}The subscriber /u
    )
    assert.match(good, /^2026-11-21T12:39:\d\d\.000Z {2}ok {6}order-shipped {4}u_10003 {2}in_app,chat {2}txn_0003$/u)
    assert.strictEqual(end, "")
  })

  it("is empty for nothing", () => {
    assert.strictEqual(plainTable([]), "")
  })

  it("stays one aligned line an event with hostile and wide text", () => {
    const lines = plainTable([event(1, { name: "漢字\n\u001b[2J" }), event(2, { name: "x" })])
      .split("\n")
      .slice(0, -1)
    assert.lengthOf(lines, 2)
    const places = lines.map((line) => width(line.slice(0, line.indexOf("u_1"))))
    assert.strictEqual(places[0], places[1])
    assert.notMatch(lines.join(""), /\p{Control}/u)
  })

  it("takes an event that lacks everything", () => {
    const bare = { _environmentId: "", _organizationId: "", _subscriberId: "", transactionId: "txn" }
    assert.strictEqual(plainTable([bare]), "-  no jobs  (workflow deleted)  (deleted)  -  txn\n")
  })
})
