import { assert, describe, it } from "@effect/vitest"
import { eventOf, slackJob } from "../../test/Records.ts"
import { addReasons, noReasons } from "../reading/UnreadableReasons.ts"
import { restored } from "../reading/Restored.ts"
import { incidentReport } from "./IncidentReport.ts"

const now = Date.parse("2026-11-21T12:41:07Z")

const failed = (index: number, detail?: string) =>
  eventOf([{ ...slackJob(detail, { providerId: "slack" }), _id: `job-${index}` }], {
    _id: `event-${index}`,
    transactionId: `txn-${index}`,
    createdAt: new Date(now - index * 60_000).toISOString(),
    subscriber: { subscriberId: `u_${index}`, _id: "internal", firstName: "Ana", email: "ana@acme.test" },
    template: { name: "Ticket assigned", triggers: [] }
  })

const events = [failed(0), failed(1), failed(2), failed(3)]

const incident = { events, loaded: events, unreadable: noReasons, connection: "prod", filter: "after:24h", asOf: now }

describe("incidentReport", () => {
  it("has the groups, their causes, samples, and what was done", () => {
    const text = incidentReport({ ...incident, actions: [{ at: now, text: "slack credentials of u_0 saved: 200" }] })
    assert.include(text, "# 4 failed events on `prod`, as of 2026-11-21 12:41:07Z")
    assert.include(
      text,
      "4 failed of 4 events that match `after:24h`, among 4 loaded events, from 2026-11-21 12:38:07Z to 2026-11-21 12:41:07Z."
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
    assert.include(text, "| you: endpoint |")
    assert.include(text, "| unknown |")
    assert.include(text, "no time (workflow deleted) for `u_1`")
  })

  it("reports that nothing failed, and that nothing was done", () => {
    const text = incidentReport({ ...incident, events: [], loaded: [], filter: "", actions: [] })
    assert.include(text, "0 failed of 0 events, among 0 loaded events.")
    assert.include(text, "None.")
    assert.notInclude(text, "|")
  })

  it("reports first that failures are unknown where events could not be read", () => {
    const [first = failed(0), second = failed(1), ...rest] = events
    const parts = [0, 1].map((index) => ({ path: `data[${index}].jobs[0]`, rule: "status: Missing key", raw: {} }))
    const unread = restored([{ ...first, jobs: [] }, { ...second, jobs: [] }, ...rest], parts)
    const text = incidentReport({
      ...incident,
      events: unread,
      loaded: unread,
      unreadable: addReasons(noReasons, parts),
      actions: []
    })
    assert.include(text, "# 2 failed events on `prod`")
    assert.include(text, "**2 of 4 events could not be read: whether they failed is unknown.**")
    assert.include(text, "- `2 × jobs[]: status: Missing key`")
    assert.include(text, "2 failed of 2 readable, 2 unreadable events that match")
  })

  it("counts the subscribers that a fix still reaches", () => {
    const sent = failed(-1)
    const [job] = sent.jobs ?? []
    assert(job !== undefined)
    const later = {
      ...sent,
      _subscriberId: "own",
      jobs: [{ ...job, status: "completed", executionDetails: [] }]
    }
    const before = { ...failed(5), _subscriberId: "own" }
    const text = incidentReport({
      ...incident,
      events: [...events, before],
      loaded: [later, ...events, before],
      changesOf: (id) => (id === "u_3" ? new Map([["slack", now]]) : undefined),
      actions: []
    })
    assert.include(text, "credentials of 3 of 5 subscribers, changed for 1, not needed for the others")
  })

  it("names the subscribers of a cause up to a bound, and says where none needs credentials any more", () => {
    const many = Array.from({ length: 23 }, (_, index) => failed(index))
    const text = incidentReport({ ...incident, events: many, loaded: many, actions: [] })
    assert.match(text, /- Subscribers: `u_0`, `u_1`, .*`u_19` and 3 more\n/u)
    const [first = failed(0)] = events
    const [job] = first.jobs ?? []
    assert(job !== undefined)
    const later = { ...first, jobs: [{ ...job, status: "completed", executionDetails: [] }] }
    const fixed = incidentReport({ ...incident, events: [first], loaded: [later, first], actions: [] })
    assert.include(fixed, "| none: no subscriber needs credentials any more |")
    assert.include(fixed, "- Subscribers: `u_0`\n")
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
