import { assert, describe, it } from "@effect/vitest"
import { eventOf, slackJob } from "../../test/Records.ts"
import { diagnose } from "./Diagnosis.ts"
import { failureGroups } from "./FailureGroup.ts"
import { changedSince, credentialsKey, eventsOf, fixReach } from "./FixReach.ts"

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

/** A job that used one integration of slack, and failed or not. */
const jobOf = (integration: string, fails: boolean) => {
  const job = fails ? slackJob() : slackJob("Message sent", { status: "Success" })
  const [detail] = job.executionDetails
  assert(detail !== undefined)
  const raw = JSON.stringify({ identifier: integration, providerId: "slack" })
  const selected = {
    ...detail,
    _id: "selected",
    status: "Pending" as const,
    detail: "Slack provider was selected",
    raw
  }
  return { ...job, status: fails ? "failed" : "completed", executionDetails: [selected, ...job.executionDetails] }
}

describe("two integrations of one provider", () => {
  const subscriber = { _id: "internal", subscriberId: "ana" }
  const support = eventOf([jobOf("slack support", true)], { _id: "old", subscriber, createdAt: failed })
  const groupOf = (events: ReadonlyArray<typeof support>) => {
    const [group] = failureGroups(events)
    assert(group !== undefined)
    return group
  }

  it.each([
    ["slack support", true],
    ["slack sales", false],
    [undefined, true]
  ])("are changed apart: %s", (integrationIdentifier, fixes) => {
    const changed = credentialsKey({ providerId: "slack", integrationIdentifier })
    const reach = fixReach(groupOf([support]), eventsOf([support]), () => new Map([[changed, at + 1]]))
    assert.deepStrictEqual(reach, { subscribers: ["ana"], open: fixes ? [] : ["ana"] })
  })

  it.each([
    ["slack support", []],
    ["slack sales", ["ana"]]
  ])("succeed apart: %s", (integration, open) => {
    const sent = eventOf([jobOf(integration, false)], { _id: "new", subscriber })
    assert.deepStrictEqual(fixReach(groupOf([support]), eventsOf([sent, support])).open, open)
  })
})
