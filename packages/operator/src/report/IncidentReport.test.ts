import type { ActivityNotification } from "@signalbox/core/Activity"
import { assert, describe, it } from "@effect/vitest"
import { incidentReport } from "./IncidentReport.ts"

const now = Date.parse("2026-11-21T12:41:07Z")

const failed = (index: number, detail = "Webhook URL for the chat channel is missing"): ActivityNotification => ({
  _id: `event-${index}`,
  _environmentId: "environment",
  _organizationId: "organization",
  _subscriberId: "internal",
  transactionId: `txn-${index}`,
  createdAt: new Date(now - index * 60_000).toISOString(),
  subscriber: { subscriberId: `u_${index}`, _id: "internal", firstName: "Ana", email: "ana@acme.test" },
  template: { name: "Ticket assigned", triggers: [] },
  jobs: [
    {
      _id: `job-${index}`,
      type: "chat",
      providerId: "slack",
      status: "failed",
      step: { _id: "", active: true, filters: [], _templateId: "" },
      executionDetails: [
        {
          _id: "d",
          status: "Failed",
          detail,
          isRetry: false,
          isTest: false,
          source: "Credentials",
          providerId: "slack"
        }
      ]
    }
  ]
})

const incident = { events: [failed(0), failed(1), failed(2), failed(3)], connection: "prod", filter: "after:24h", now }

describe("incidentReport", () => {
  it("has the groups, their causes, samples, and what was done", () => {
    const text = incidentReport({ ...incident, actions: [{ at: now, text: "slack credentials of u_0 saved: 200" }] })
    assert.include(text, "# 4 failed events on `prod`, 2026-11-21 12:41:07Z")
    assert.include(
      text,
      "4 of 4 loaded events that match `after:24h` failed, from 2026-11-21 12:38:07Z to 2026-11-21 12:41:07Z."
    )
    assert.match(
      text,
      /\| 4 \| slack webhook missing \| chat \| 4 \| .* \| [▁-█]{12} \| credentials of 4 subscribers \|/u
    )
    assert.include(text, "- Cause: The subscriber has no webhook URL for slack")
    assert.include(text, "- Filter: `cause:webhook-url-missing/chat/slack`")
    assert.strictEqual(text.match(/transaction `txn-/gu)?.length, 3)
    assert.include(text, "- 2026-11-21 12:41:07Z slack credentials of u\\_0 saved: 200")
  })

  it("draws the trend from the oldest event to the newest, the busiest part at full height", () => {
    const text = incidentReport({ ...incident, events: [failed(0), failed(0), failed(3)], actions: [] })
    assert.include(text, "| ▅▁▁▁▁▁▁▁▁▁▁█ | credentials of 2 subscribers |")
  })

  it("reports failures that credentials do not fix, and names the unnamed", () => {
    const { template: _, createdAt: __, ...nameless } = failed(1, "Bridge execution failed")
    const text = incidentReport({ ...incident, events: [nameless, failed(2, "The moon is late")], actions: [] })
    assert.include(text, "| your endpoint |")
    assert.include(text, "| unknown |")
    assert.include(text, "no time (workflow deleted) for `u_1`")
  })

  it("reports that nothing failed, and that nothing was done", () => {
    const text = incidentReport({ ...incident, events: [], filter: "", actions: [] })
    assert.include(text, "0 of 0 loaded events failed.")
    assert.include(text, "None.")
    assert.notInclude(text, "|")
  })

  it("leaves out secrets, personal data, and markup of the service", () => {
    const hook = "https://hooks.slack.test/services/T0/B0/abcdef"
    const text = incidentReport({
      ...incident,
      events: [failed(0, `POST ${hook} | <!channel> failed`)],
      actions: [{ at: now, text: `sent ${hook}` }]
    })
    for (const hidden of [hook, "Ana", "ana@"]) assert.notInclude(text, hidden)
    assert.notInclude(text, "| <!channel>")
  })
})
