import { assert, describe, it } from "@effect/vitest"
import { eventOf, slackJob } from "../../test/Records.ts"
import { failureGroups } from "../diagnosis/FailureGroup.ts"
import { eventsOf, fixReach } from "../diagnosis/FixReach.ts"
import { workList } from "./WorkList.ts"

const failed = (subscriberId: string, raw?: string) =>
  eventOf([slackJob(undefined, raw === undefined ? {} : { raw })], {
    _subscriberId: `internal ${subscriberId}`,
    transactionId: `txn ${subscriberId}`,
    subscriber: { _id: `internal ${subscriberId}`, subscriberId }
  })

describe("workList", () => {
  it("has a line for each subscriber with an empty value, and the command that sends the file", () => {
    const events = ["u_1", 'a,"b"', "u_1"].map((id) => failed(id))
    const [group] = failureGroups(events)
    assert(group !== undefined)
    assert.deepStrictEqual(workList(group, fixReach(group, eventsOf(events)), "my fixes.csv", "prod"), {
      text: 'subscriberId,providerId,webhookUrl\nu_1,slack,\n"a,""b""",slack,\n',
      command: "signalbox bulk import 'my fixes.csv' -c 'prod'"
    })
  })

  it("names the integration of each subscriber", () => {
    const events = [failed("u_1", "webhookUrl for integrationId: slack-support is missing"), failed("u_2")]
    const [group] = failureGroups(events)
    assert(group !== undefined)
    assert.strictEqual(
      workList(group, fixReach(group, eventsOf(events)), "fixes.csv", "prod").text,
      "subscriberId,providerId,integrationIdentifier,webhookUrl\nu_1,slack,slack-support,\nu_2,slack,,\n"
    )
  })
})
