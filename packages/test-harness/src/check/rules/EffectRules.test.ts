import { assert, describe, it } from "@effect/vitest"
import type { CheckRun } from "../CheckRun.ts"
import { effectRules } from "./EffectRules.ts"

/** A run of one upsert that is reported as ok, and the device tokens that the service has. */
const runWith = (deviceTokens: ReadonlyArray<string>): CheckRun => {
  const credentials = { deviceTokens: ["phone", "watch"] }
  const call = { operation: "credentials.upsert", subscriberId: "ada", providerId: "fcm", credentials }
  const channels = [{ providerId: "fcm", credentials: { deviceTokens } }]
  // Only the parts of a run that the rule reads.
  return {
    isConcurrent: true,
    calls: [{ call, requests: [], result: { outcome: "ok" } }],
    records: { subscribers: [{ subscriberId: "ada", channels }], messages: [] }
  } as unknown as CheckRun
}

describe("lost-update", () => {
  it.each([
    [["phone", "watch", "tablet"], 0],
    [["watch"], 1],
    [[], 1]
  ])("reports an upsert that left %j", (stored, findings) => {
    assert.lengthOf(effectRules["lost-update"].check(runWith(stored)), findings)
  })
})
