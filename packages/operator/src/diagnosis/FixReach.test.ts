import { assert, describe, it } from "@effect/vitest"
import type { Diagnosis } from "./Diagnosis.ts"
import { changedSince } from "./FixReach.ts"

// The function reads nothing else of a diagnosis and an event.
const diagnosis = { job: { type: "chat" }, prefill: { providerId: "slack" } } as unknown as Diagnosis
const event = (createdAt?: string) => ({ createdAt, subscriber: { subscriberId: "ana" } }) as never

const failed = "2026-11-21T12:00:00.000Z"
const at = Date.parse(failed)

describe("a change of credentials", () => {
  it.each([
    ["after the failure", failed, at + 1, true],
    ["at the time of the failure", failed, at, true],
    ["before the failure", failed, at - 1, false],
    ["of an event without a time", undefined, at, true]
  ])("%s fixes it: %s, %s, %s", (_when, createdAt, changedAt, fixes) => {
    const found = changedSince(diagnosis, event(createdAt), () => new Map([["slack", changedAt]]))
    assert.deepStrictEqual(found, fixes ? ["slack", changedAt] : undefined)
  })
})
