import { EventPage } from "@signalbox/core/internal/contract/Activity"
import { assert, describe, expect, it } from "@effect/vitest"
import * as HashMap from "effect/HashMap"
import * as SchemaParser from "effect/SchemaParser"
import { addIntegration, addWorkflow } from "../generate/Builders.ts"
import type { StepInput } from "../state/RecordInput.ts"
import { addSubscriber } from "../state/Subscribers.ts"
import { upsertCredentials } from "../operations/CredentialsUpsert.ts"
import { listEvents } from "../operations/EventsList.ts"
import { markMessagesAs } from "../operations/MessagesMarkAs.ts"
import { empty, type EnvironmentState } from "../state/EnvironmentState.ts"
import type { JsonObject } from "@signalbox/core/internal/reading/JsonObject"
import type { JobProviderId } from "../state/Records.ts"
import * as Switches from "../switches/Switches.ts"
import { failureKinds } from "./FailureKind.ts"
import { settle } from "./Settle.ts"
import { trigger } from "./Trigger.ts"

const start = Date.UTC(2026, 10, 1)
const second = 1000
const hour = 3600 * second

const decode = SchemaParser.decodeUnknownSync(EventPage)

const withSteps = (steps: ReadonlyArray<StepInput>, providers: ReadonlyArray<JobProviderId> = []) => {
  let state = empty(3)
  for (const providerId of providers) ({ state } = addIntegration(state, start, { providerId }))
  ;({ state } = addSubscriber(state, start, { subscriberId: "ana", firstName: "Ana", email: "ana@example.test" }))
  return addWorkflow(state, start, { identifier: "flow", steps }).state
}

const listed = (state: EnvironmentState, now: number) =>
  decode(listEvents(state, { switches: Switches.document, now }, "limit=50").response.body).data

const jobs = (state: EnvironmentState, now: number, event = 0) =>
  (listed(state, now)[event]?.jobs ?? []).map(({ executionDetails, status }) => [
    status,
    executionDetails.at(-1)?.detail
  ])

const fire = (state: EnvironmentState, now: number, payload: JsonObject = {}) =>
  trigger(state, now, { workflow: "flow", to: "ana", payload })

const inbox = (state: EnvironmentState) => [...HashMap.values(state.messages)]

describe("trigger", () => {
  it("adds nothing that it was not given", () => {
    const { event } = trigger(withSteps([{ type: "in_app" }]), start, { workflow: "flow", to: "ana" })
    assert.deepInclude(event, { topics: [], contextKeys: [], payload: {}, tags: [], critical: false })
    assert.notProperty(event, "overrides")
    assert.notProperty(event, "severity")
    const overrides = { fcm: { priority: "high" } }
    const given = { workflow: "flow", to: "ana", overrides, contextKeys: ["tenant:a"] }
    const full = trigger(withSteps([{ type: "in_app" }]), start, given)
    assert.deepInclude(full.event, { overrides, contextKeys: ["tenant:a"] })
    const sent = inbox(settle(full.state, start + 60_000))
    assert.deepStrictEqual(
      sent.map((message) => message.overrides),
      [overrides]
    )
  })

  it("follows one notification from the trigger to the read message", () => {
    const steps = [{ type: "in_app", content: "Hello {{subscriber.firstName}}: {{payload.n}}" }] as const
    const { event, state } = fire(withSteps(steps), start, { n: 7 })
    assert.deepStrictEqual(jobs(state, start), [["queued", "Step queued"]])
    assert.deepStrictEqual(jobs(state, start + second), [["completed", "Message sent"]])
    const later = settle(state, start + second)
    const [message] = inbox(later)
    assert.strictEqual(message?.content, "Hello Ana: 7")
    assert.strictEqual(message?.transactionId, event.transactionId)
    const context = { switches: Switches.document, now: start + 2 * second }
    const marked = markMessagesAs(later, context, "ana", { messageId: message?.id, markAs: "read" })
    assert.strictEqual(marked.response.status, 201)
    assert.isTrue(inbox(marked.state)[0]?.read)
    assert.isFalse(inbox(later)[0]?.read)
  })

  it("state is a function of time: settling in one step or in many gives the same", () => {
    const steps = [
      { type: "in_app" },
      { type: "delay", wait: { amount: 1, unit: "hours" } },
      { type: "email" },
      { type: "digest", wait: { amount: 5, unit: "minutes" } },
      { type: "in_app" }
    ] as const
    const { state } = fire(withSteps(steps, ["sendgrid"]), start)
    const once = settle(state, start + 3 * hour)
    let often = state
    for (let at = 0; at <= 3 * hour; at += 97 * second) often = settle(often, start + at)
    often = settle(often, start + 3 * hour)
    assert.deepStrictEqual(listed(often, start + 3 * hour), listed(once, start + 3 * hour))
    assert.deepStrictEqual(
      inbox(often).map(({ channel, createdAt }) => [channel, createdAt]),
      inbox(once).map(({ channel, createdAt }) => [channel, createdAt])
    )
    assert.strictEqual(inbox(once).length, 3)
    assert.strictEqual(settle(once, start + 3 * hour), once)
  })

  it("a digest collects the events of its window and continues once", () => {
    const steps = [
      { type: "digest", wait: { amount: 10, unit: "minutes" }, digestKey: "order" },
      { type: "in_app" }
    ] as const
    let state = withSteps(steps)
    const first = fire(state, start, { order: 1, part: "a" })
    const newest = fire(first.state, start + 60 * second, { order: 1, part: "b" })
    const other = fire(newest.state, start + 61 * second, { order: 2 })
    state = settle(other.state, start + hour)
    const [third, merged, owner] = listed(state, start + hour)
    assert.strictEqual(merged?._digestedNotificationId, first.event.id)
    assert.deepStrictEqual(
      merged?.jobs?.map(({ status }) => status),
      ["merged", "merged"]
    )
    assert.deepStrictEqual(owner?.jobs?.[0]?.digest?.events, [
      { order: 1, part: "a" },
      { order: 1, part: "b" }
    ])
    assert.isUndefined(third?._digestedNotificationId)
    assert.strictEqual(inbox(state).length, 2)
    const late = fire(state, start + 2 * hour, { order: 1 })
    assert.deepStrictEqual(jobs(late.state, start + 2 * hour)[0], ["delayed", "Step digested"])
  })

  it("a throttle allows its limit and skips the rest", () => {
    const steps = [{ type: "throttle", wait: { amount: 1, unit: "hours" }, threshold: 1 }, { type: "in_app" }] as const
    let state = withSteps(steps)
    ;({ state } = fire(state, start))
    ;({ state } = fire(state, start + second))
    ;({ state } = fire(state, start + 2 * hour))
    const now = start + 3 * hour
    const statuses = listed(state, now).map((event) => event.jobs?.map(({ status }) => status))
    assert.deepStrictEqual(statuses, [
      ["completed", "completed"],
      ["skipped", "skipped"],
      ["completed", "completed"]
    ])
  })

  it("a throttle leaves the steps before it as they ended", () => {
    const throttle = { type: "throttle", wait: { amount: 1, unit: "hours" }, threshold: 1 } as const
    let state = withSteps([{ type: "in_app" }, throttle, { type: "in_app" }])
    ;({ state } = fire(state, start))
    ;({ state } = fire(state, start + second))
    const [newest] = listed(state, start + hour).map((event) => event.jobs?.map(({ status }) => status))
    assert.deepStrictEqual(newest, ["completed", "skipped", "skipped"])
  })

  it("conditions skip a step, and the next one runs", () => {
    const steps: ReadonlyArray<StepInput> = [
      {
        type: "in_app",
        filters: [
          {
            isNegated: false,
            type: "GROUP",
            value: "AND",
            children: [{ on: "payload", field: "tier", operator: "EQUAL", value: "gold" }]
          }
        ]
      },
      { type: "in_app" }
    ]
    const { state } = fire(withSteps(steps), start, { tier: "tin" })
    assert.deepStrictEqual(jobs(state, start + second), [
      ["canceled", "Step was skipped based on steps conditions"],
      ["completed", "Message sent"]
    ])
  })

  it("fixing credentials and triggering again succeeds", () => {
    const before = withSteps([{ type: "chat" }], ["slack"])
    const context = { switches: Switches.document, now: start }
    const failed = fire(before, start)
    assert.deepStrictEqual(jobs(failed.state, start + second), [
      ["canceled", "Subscriber does not have a configured channel"]
    ])
    const channelOnly = upsertCredentials(failed.state, context, "ana", {
      providerId: "slack",
      credentials: { channel: "#x" }
    })
    const still = fire(channelOnly.state, start + second)
    assert.deepStrictEqual(jobs(still.state, start + 5 * second)[0], [
      "canceled",
      "Some chat channels skipped to send the message"
    ])
    const mended = upsertCredentials(still.state, { ...context, now: start + 5 * second }, "ana", {
      providerId: "slack",
      credentials: { webhookUrl: "https://hooks.example.test/1" }
    })
    assert.strictEqual(mended.response.status, 200)
    const again = fire(mended.state, start + 6 * second)
    assert.deepStrictEqual(jobs(again.state, start + 9 * second)[0], ["completed", "Message sent"])
  })

  it("credentials fixed during a delay apply to the next step", () => {
    const steps = [{ type: "delay", wait: { amount: 1, unit: "hours" } }, { type: "push" }] as const
    const { state } = fire(withSteps(steps, ["fcm"]), start)
    const context = { switches: Switches.document, now: start + 60 * second }
    const payload = { providerId: "fcm", credentials: { deviceTokens: ["t"] } }
    const mended = upsertCredentials(state, context, "ana", payload).state
    assert.strictEqual(jobs(state, start + 2 * hour)[1]?.[0], "canceled")
    assert.strictEqual(jobs(mended, start + 2 * hour)[1]?.[0], "completed")
  })

  it("a step that stops on failure cancels the following steps; others continue", () => {
    const sms = { type: "sms", name: "Text" } as const
    const stopping = fire(withSteps([{ ...sms, stopOnFail: true }, { type: "in_app" }]), start)
    assert.deepStrictEqual(jobs(stopping.state, start + 5 * second), [
      ["failed", "Subscriber does not have an active integration"],
      ["canceled", "Step was canceled because a previous step failed"]
    ])
    const going = fire(withSteps([sms, { type: "in_app" }]), start)
    assert.strictEqual(jobs(going.state, start + 5 * second)[1]?.[0], "completed")
    // A subscriber without a phone number is skipped, which is no failure.
    const skipped = fire(withSteps([{ ...sms, stopOnFail: true }, { type: "in_app" }], ["twilio"]), start)
    assert.deepStrictEqual(jobs(skipped.state, start + 5 * second), [
      ["canceled", "Subscriber missing phone number"],
      ["completed", "Message sent"]
    ])
  })

  for (const kind of failureKinds) {
    it(`the failure ${kind} is in the details, and the step recovers only if the name says so`, () => {
      const state = withSteps([{ type: "email", name: "Mail" }], ["sendgrid"])
      const fired = trigger(state, start, { workflow: "flow", to: "ana", failures: { Mail: kind } })
      const details = listed(fired.state, start + hour)[0]?.jobs?.[0]?.executionDetails ?? []
      const recovered = kind.endsWith("-recovered")
      const off = kind === "preference-off"
      assert.strictEqual(
        details.some(({ status }) => status === "Failed"),
        !off
      )
      assert.strictEqual(details.at(-1)?.status, recovered || off ? "Success" : "Failed")
      assert.strictEqual(jobs(fired.state, start + hour)[0]?.[0], recovered ? "completed" : off ? "canceled" : "failed")
    })
  }

  it("courses.txt has the jobs of every failure on every channel (vitest run Trigger -u updates it)", async () => {
    const providers: ReadonlyArray<JobProviderId> = ["sendgrid", "twilio", "fcm", "slack"]
    const steps = (["in_app", "email", "sms", "push", "chat", "custom"] as const).map((type) => ({ type, name: type }))
    const context = { switches: Switches.document, now: start }
    let ready = withSteps(steps, providers)
    const credentials = [
      ["fcm", { deviceTokens: ["t1", "t2"] }],
      ["slack", { webhookUrl: "https://hooks.example.test/1" }]
    ] as const
    for (const [providerId, own] of credentials) {
      ready = upsertCredentials(ready, context, "ana", { providerId, credentials: own }).state
    }
    const bare = withSteps(steps)
    const lines: Array<string> = []
    const show = (name: string, { state }: { readonly state: EnvironmentState }) => {
      for (const after of [0, second, 20 * second, hour]) {
        const settled = settle(state, start + after)
        lines.push(`${name}, after ${after} ms`)
        for (const job of listed(settled, start + after)[0]?.jobs ?? []) {
          const { executionDetails, providerId, status, type, updatedAt } = job
          lines.push(`  ${[type, status, providerId, updatedAt].join(" ")}`)
          if (after === hour)
            for (const { _id: _, ...detail } of executionDetails) lines.push(`    ${JSON.stringify(detail)}`)
        }
        for (const { id: _, eventId: __, ...message } of after === hour ? inbox(settled) : []) {
          lines.push(`  message ${JSON.stringify(message)}`)
        }
      }
    }
    show("without a failure", fire(ready, start))
    show("without integrations and credentials", fire(bare, start))
    for (const kind of failureKinds) {
      const failures = Object.fromEntries(steps.map(({ name }) => [name, kind]))
      show(kind, trigger(ready, start, { workflow: "flow", to: "ana", failures }))
    }
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./courses.txt")
  })

  it("names the known values when given an unknown one", () => {
    const state = withSteps([{ type: "email", name: "Mail" }])
    assert.throws(
      () => trigger(state, start, { workflow: "flaw", to: "ana" }),
      /no workflow "flaw"; expected one of: flow/u
    )
    assert.throws(
      () => trigger(state, start, { workflow: "flow", to: "ana", failures: { Post: "bridge-failed" } }),
      /trigger.failures.Post: workflow flow has no such step; its steps: Mail/u
    )
    assert.throws(() => trigger(state, start, { workflow: "flow", to: "" }), RangeError, "trigger.to: must be")
    // Callers without types can give anything.
    const misspelt: object = { payloads: {} }
    assert.throws(
      () => trigger(state, start, { workflow: "flow", to: "ana", ...misspelt }),
      RangeError,
      "trigger.payloads: unknown option; did you mean payload? Expected one of: workflow, to, payload, overrides,"
    )
  })
})
