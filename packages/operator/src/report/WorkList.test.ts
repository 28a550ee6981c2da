import type { ActivityNotification } from "@signalbox/core/Activity"
import { assert, describe, it } from "@effect/vitest"
import { failureGroups } from "../diagnosis/FailureGroup.ts"
import { eventsOf, fixReach } from "../diagnosis/FixReach.ts"
import { workList } from "./WorkList.ts"

const failed = (subscriberId: string): ActivityNotification => ({
  _environmentId: "environment",
  _organizationId: "organization",
  _subscriberId: `internal ${subscriberId}`,
  transactionId: `txn ${subscriberId}`,
  subscriber: { _id: `internal ${subscriberId}`, subscriberId },
  jobs: [
    {
      _id: "job",
      type: "chat",
      providerId: "slack",
      status: "failed",
      step: { _id: "", active: true, filters: [], _templateId: "" },
      executionDetails: [
        {
          _id: "detail",
          status: "Failed",
          detail: "Webhook URL for the chat channel is missing",
          isRetry: false,
          isTest: false,
          source: "Credentials"
        }
      ]
    }
  ]
})

describe("workList", () => {
  it("has a line for each subscriber with an empty value, and the command that sends the file", () => {
    const events = ["u_1", 'a,"b"', "u_1"].map(failed)
    const [group] = failureGroups(events)
    assert(group !== undefined)
    assert.deepStrictEqual(workList(group, fixReach(group, eventsOf(events)), "my fixes.csv", "prod"), {
      text: 'subscriberId,providerId,webhookUrl\nu_1,slack,\n"a,""b""",slack,\n',
      command: "signalbox bulk import 'my fixes.csv' -c 'prod'"
    })
  })
})
