import { EventPage } from "@signalbox/core/internal/contract/Activity"
import { assert, describe, expect, it } from "@effect/vitest"
import * as HashMap from "effect/HashMap"
import * as SchemaParser from "effect/SchemaParser"
import { upsertCredentials } from "../operations/CredentialsUpsert.ts"
import { listEvents } from "../operations/EventsList.ts"
import * as Switches from "../switches/Switches.ts"
import { trigger } from "../trigger/Trigger.ts"
import { recordsOf } from "../state/EnvironmentRecords.ts"
import { makeDemoState } from "./DemoState.ts"

const now = Date.UTC(2026, 10, 21, 8)
const decode = SchemaParser.decodeUnknownSync(EventPage)

const all = (state: ReturnType<typeof makeDemoState>, at = now) =>
  [0, 1].flatMap(
    (page) =>
      decode(listEvents(state, { switches: Switches.document, now: at }, `limit=50&page=${page}`).response.body).data
  )

/** An event and its jobs. */
const linesOf = (event: ReturnType<typeof all>[number]): ReadonlyArray<string> => {
  const { contextKeys, createdAt, jobs = [], payload, severity, subscriber, template, topics, transactionId } = event
  const jobLines = jobs.map(({ executionDetails, providerId, status, step, type }) =>
    [`  ${type}`, step?.name, status, providerId, executionDetails.map(({ detail }) => detail).join(" / ")].join(" ")
  )
  return [
    [createdAt, template?.name, severity, subscriber?.subscriberId, transactionId].join(" "),
    `  ${JSON.stringify({ payload, topics: topics?.length, contextKeys })}`,
    ...jobLines
  ]
}

describe("DemoData", () => {
  it("shows a day of a product: all channels, many kinds of failure, pending jobs", () => {
    const events = all(makeDemoState({ now }))
    assert.strictEqual(events.length, 80)
    const jobs = events.flatMap((event) => event.jobs ?? [])
    for (const type of ["in_app", "email", "sms", "chat", "push", "digest", "delay", "throttle", "custom"]) {
      assert.isTrue(
        jobs.some((job) => job.type === type),
        type
      )
    }
    const failures = new Set(
      jobs
        .flatMap(({ executionDetails }) => executionDetails.filter(({ status }) => status === "Failed"))
        .map(({ detail }) => detail)
    )
    for (const detail of [
      "Webhook URL for the chat channel is missing",
      "Subscriber does not have an active integration",
      "Subscriber missing phone number",
      "Subscriber missing email address",
      "Unexpected provider error",
      "Message content could not be generated",
      "Action step execution failed",
      "All chat channels failed to send the message",
      "There was one or more errors when trying to execute the notification",
      "Step was skipped based on steps conditions",
      "Step was canceled because a previous step failed"
    ]) {
      assert.isTrue(failures.has(detail), detail)
    }
    for (const status of ["completed", "failed", "delayed", "pending", "canceled"]) {
      assert.isTrue(
        jobs.some((job) => job.status === status),
        status
      )
    }
    assert.isAbove(Date.parse(events[0]?.createdAt ?? ""), now - 60_000)
    assert.isAbove(Date.parse(events.at(-1)?.createdAt ?? ""), now - 86_400_000)
    assert.isBelow(jobs.filter(({ status }) => status === "failed").length, jobs.length / 5)
  })

  it("is the shop of demo.txt, which the apps and their documentation show (vitest run src/demo -u updates it)", async () => {
    const state = makeDemoState({ now })
    const { integrations, messages, subscribers, workflows } = recordsOf(state)
    const timeOf = (at: string | number) => new Date(at).toISOString()
    const lines = [
      ...subscribers.map((subscriber) => JSON.stringify(subscriber)),
      ...integrations.map((integration) => JSON.stringify(integration)),
      ...workflows.flatMap(({ steps, ...workflow }) => [workflow, ...steps].map((part) => JSON.stringify(part))),
      ...all(state).flatMap(linesOf),
      ...messages.map(({ channel, content, createdAt, read, seen, status, subscriberId }) =>
        JSON.stringify([timeOf(createdAt), channel, subscriberId, status, { read, seen }, content])
      )
    ]
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./demo.txt")
  })

  it("is the same for the same seed and time, and differs for another seed", () => {
    const events = 101
    assert.deepStrictEqual(all(makeDemoState({ now, seed: 4, events })), all(makeDemoState({ now, seed: 4, events })))
    assert.strictEqual(makeDemoState({ now, seed: 4 }), makeDemoState({ now, seed: 4 }))
    assert.notDeepEqual(all(makeDemoState({ now, seed: 4 })), all(makeDemoState({ now, seed: 5 })))
  })

  it("a missing webhook URL can be fixed", () => {
    const state = makeDemoState({ now })
    const mended = upsertCredentials(state, { switches: Switches.document, now }, "u_16170", {
      providerId: "slack",
      integrationIdentifier: "slack-support",
      credentials: { webhookUrl: "https://hooks.example.test/sara" }
    })
    const payload = { ticketId: "T-1", title: "Late" }
    const again = trigger(mended.state, now, { workflow: "ticket-assigned", to: "u_16170", payload })
    const [event] = all(again.state, now + 5000)
    assert.deepStrictEqual(
      event?.jobs?.map(({ status }) => status),
      ["completed", "completed"]
    )
  })

  it("has messages in every state, and the requested number of events", () => {
    const state = makeDemoState({ now, events: 1000 })
    assert.strictEqual(state.events.size, 1000)
    const messages = [...HashMap.values(state.messages)].filter(({ channel }) => channel === "in_app")
    assert.isTrue(messages.some(({ read }) => read))
    assert.isTrue(messages.some(({ read, seen }) => seen && !read))
    assert.isTrue(messages.some(({ seen }) => !seen))
    assert.strictEqual(makeDemoState({ now, events: 3 }).events.size, 3)
  })
})
