import { assert, describe, it } from "@effect/vitest"
import { eventOf, slackJob } from "../../test/Records.ts"
import { diagnose } from "./Diagnosis.ts"
import { changedSince } from "./FixReach.ts"

const failed = "2026-11-21T12:00:00.000Z"
const at = Date.parse(failed)

describe("a change of credentials", () => {
  it.each([
    ["after the failure", failed, at + 1, true],
    ["at the time of the failure", failed, at, true],
    ["before the failure", failed, at - 1, false],
    ["of an event without a time", undefined, at, true]
  ])("%s fixes it: %s, %s, %s", (_when, createdAt, changedAt, fixes) => {
    const event = eventOf([slackJob()], {
      subscriber: { _id: "internal", subscriberId: "ana" },
      ...(createdAt === undefined ? {} : { createdAt })
    })
    const diagnosis = diagnose(event)
    assert(diagnosis)
    const found = changedSince(diagnosis, event, () => new Map([["slack", changedAt]]))
    assert.deepStrictEqual(found, fixes ? ["slack", changedAt] : undefined)
  })
})
