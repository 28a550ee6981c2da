import { assert, describe, it } from "@effect/vitest"
import type { FailureGroup } from "../diagnosis/FailureGroup.ts"
import {
  changed,
  isSilent,
  knownCausesPath,
  knownCausesJson,
  looked,
  newsOf,
  noKnownCauses,
  parseKnownCauses
} from "./KnownCauses.ts"

const now = Date.UTC(2026, 10, 21, 12)
const hour = 3_600_000

const group = (cause: string, count: number): FailureGroup => ({
  cause,
  title: cause,
  rule: cause,
  step: "chat",
  owner: "unknown",
  credentials: "elsewhere",
  events: Array.from({ length: count }, (_, index) => ({
    _environmentId: "environment",
    _organizationId: "organization",
    _subscriberId: "subscriber",
    transactionId: `txn-${index}`,
    payload: { secret: "A-4226" }
  })),
  subscribers: ["u_1"]
})

const range = (hours: number) => ({ from: now - hours * hour, to: now })

describe("known causes", () => {
  const first = changed(noKnownCauses, looked([group("a", 10), group("b", 4)], range(2), now))

  it("differ from the last look by rate, whatever the time that is loaded", () => {
    assert.isUndefined(newsOf(noKnownCauses, [group("a", 1)], range(1)))
    const news = newsOf(first, [group("a", 24), group("c", 1)], range(2))
    assert.deepStrictEqual(
      news?.changes,
      new Map([
        ["a", "grown"],
        ["c", "new"]
      ] as const)
    )
    assert.deepStrictEqual([news?.gone, news?.since], [1, now])
    assert.strictEqual(newsOf(first, [group("a", 24), group("b", 4)], range(24))?.changes.size, 0)
  })

  it("keep notes and silences over looks and the file, and nothing of the events", () => {
    const noted = changed(first, { _tag: "Noted", cause: "b", note: "ticket 4711" })
    const silent = changed(noted, { _tag: "Silenced", cause: "b", until: now + hour })
    const later = changed(silent, looked([group("a", 2)], range(1), now + 1))
    const text = JSON.stringify(knownCausesJson(later))
    assert.deepStrictEqual(parseKnownCauses(text), later)
    assert.deepStrictEqual(later.causes.get("b"), { note: "ticket 4711", silentUntil: now + hour })
    assert.notMatch(text, /txn|A-4226|u_1/u)
    assert.isTrue(isSilent(later, "b", now))
    assert.isFalse(isSilent(later, "b", now + hour))
    assert.isFalse(isSilent(later, "a", now))
    assert.isFalse(isSilent(changed(later, { _tag: "Silenced", cause: "b", until: undefined }), "b", now))
  })

  it("of a damaged file are none", () => {
    for (const text of ["", "{", "[]", "7", '{"causes":[1]}', '{"causes":{"a":null}}'])
      assert.isUndefined(parseKnownCauses(text).lookedAt, text)
  })

  it("are in a file for each connection, whose name is no path", () => {
    assert.strictEqual(knownCausesPath({ HOME: "/home/ana" }, "eu"), "/home/ana/.local/state/signalbox/causes-eu.json")
    assert.strictEqual(knownCausesPath({ XDG_STATE_HOME: "/s/" }, "a/b:1"), "/s/signalbox/causes-a_b_1.json")
  })
})
