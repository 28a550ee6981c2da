import { EventPage } from "@signalbox/core/internal/contract/Activity"
import { assert, describe, expect, it } from "@effect/vitest"
import * as HashMap from "effect/HashMap"
import * as SchemaParser from "effect/SchemaParser"
import { listEvents } from "../operations/EventsList.ts"
import * as EventLog from "../state/EventLog.ts"
import { empty, type EnvironmentState, messageOf, subscribersWithEmail } from "../state/EnvironmentState.ts"
import * as Switches from "../switches/Switches.ts"
import { trigger } from "../trigger/Trigger.ts"
import { addEvent, addIntegration, addMessage, addWorkflow } from "./Builders.ts"
import { addSubscriber } from "../state/Subscribers.ts"
import { type Amounts, generate, generationSlices } from "./Generate.ts"

const now = Date.UTC(2026, 10, 21)

const decode = SchemaParser.decodeUnknownSync(EventPage)

const list = (state: EnvironmentState, query: string) =>
  decode(listEvents(state, { switches: Switches.document, now }, query).response.body)

const base = (seed: number) => {
  let state = empty(seed)
  ;({ state } = addWorkflow(state, now, { identifier: "one", steps: [{ type: "email" }, { type: "in_app" }] }))
  ;({ state } = addWorkflow(state, now, {
    identifier: "two",
    severity: "high",
    steps: [{ type: "digest", wait: { amount: 5, unit: "minutes" } }, { type: "push" }, { type: "sms" }]
  }))
  return state
}

const make = (seed: number, amounts: Amounts) => generate(base(seed), now, amounts)

describe("generate", () => {
  it("generates the requested number of records, with jobs computed when they are read", () => {
    const state = make(1, { subscribers: 50, events: 20_000, messages: 100 })
    assert.strictEqual(HashMap.size(state.subscribers), 50)
    assert.strictEqual(state.events.size, 20_000)
    assert.strictEqual(HashMap.size(state.messages), 100)
    assert.strictEqual(HashMap.size(state.progress), 0)
    const page = list(state, "channels=push&severity=high&limit=50&page=3")
    assert.strictEqual(page.data.length, 50)
    for (const event of page.data) {
      assert.strictEqual(event.severity, "high")
      assert.strictEqual(event.jobs?.length, 3)
      assert.deepStrictEqual(
        event.jobs?.map(({ type }) => type),
        ["digest", "push", "sms"]
      )
    }
  })

  it("adds at most 2,000 records at once", () => {
    const counts = (state: EnvironmentState) =>
      HashMap.size(state.subscribers) + state.events.size + HashMap.size(state.messages)
    let state = base(1)
    const added = generationSlices(state, now, { subscribers: 2_001, events: 5_000, messages: 1_999 }).map((slice) => {
      const before = counts(state)
      state = slice(state)
      return counts(state) - before
    })
    assert.deepStrictEqual(added, [2_000, 1, 2_000, 2_000, 1_000, 1_999])
    assert.deepStrictEqual(state, make(1, { subscribers: 2_001, events: 5_000, messages: 1_999 }))
  })

  it("makes events whose payload is part of their JSON", () => {
    const [event] = EventLog.all(make(1, { subscribers: 1, events: 1 }).events)
    assert.hasAllKeys(event?.payload, ["orderId", "amount", "currency", "items"])
    assert.deepStrictEqual(JSON.parse(JSON.stringify(event)), { ...event, payload: event?.payload })
  })

  it("has some failures, but few", () => {
    const state = make(2, { subscribers: 5, events: 400 })
    const jobs = Array.from({ length: 8 }, (_, page) => list(state, `limit=50&page=${page}`).data)
      .flat()
      .flatMap((event) => event.jobs ?? [])
    const failed = jobs.filter(({ status }) => status === "failed").length
    assert.isAbove(failed, 5)
    assert.isBelow(failed, jobs.length / 5)
  })

  it("generated.txt has the data of a seed (vitest run Generate -u updates it)", async () => {
    const state = make(4, { subscribers: 6, events: 40, messages: 12 })
    const records = [
      ...HashMap.values(state.subscribers),
      ...EventLog.all(state.events),
      ...[...HashMap.values(state.messages)].toSorted((one, other) => one.sequence - other.sequence)
    ]
    const jobs = list(state, "limit=50").data.map((event) =>
      (event.jobs ?? []).map(({ executionDetails, status, type, updatedAt }) =>
        [type, status, updatedAt, executionDetails.map(({ detail }) => detail).join(" / ")].join(" ")
      )
    )
    const lines = [...records, ...jobs].map((part) => JSON.stringify(part))
    await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("./generated.txt")
  })

  it("returns the same data for the same seed, and different ids for another", () => {
    const read = (seed: number) => JSON.stringify(list(make(seed, { subscribers: 5, events: 60 }), "limit=50"))
    assert.strictEqual(read(9), read(9))
    const ids = (seed: number) =>
      new Set(EventLog.all(make(seed, { subscribers: 5, events: 60 }).events).map(({ id }) => id))
    const others = ids(10)
    assert.isFalse([...ids(9)].some((id) => others.has(id)))
  })

  it("can follow a trigger, and ids stay unique", () => {
    const before = make(3, { subscribers: 3, events: 10 })
    const { state } = trigger(before, now, { workflow: "one", to: "user-00001" })
    const more = generate(state, now, { events: 10 })
    assert.strictEqual(more.events.size, 21)
    assert.strictEqual(new Set(EventLog.all(more.events).map(({ id }) => id)).size, 21)
  })

  it("reports invalid amounts", () => {
    const rule = "must be an integer from 0 to 100000"
    assert.throws(() => make(1, { events: 1.5 }), RangeError, "generate.events: must be an integer, not 1.5")
    assert.throws(() => make(1, { subscribers: -1 }), RangeError, `generate.subscribers: ${rule}, not -1`)
    assert.throws(() => make(1, { messages: 1e15 }), RangeError, `generate.messages: ${rule}, not 1000000000000000`)
    for (const spanMs of [-1, Number.NaN, Infinity]) {
      assert.throws(() => make(1, { events: 1, spanMs }), RangeError, "generate.spanMs: must be ")
    }
    // Callers without types can give any name.
    const misspelt: object = { event: 1 }
    assert.throws(
      () => make(1, misspelt),
      RangeError,
      "generate.event: unknown option; did you mean events? Expected one of: subscribers, events, messages, spanMs"
    )
    assert.throws(() => generate(empty(), now, { events: 1, subscribers: 1 }), /need a workflow/u)
    assert.throws(() => generate(empty(), now, { messages: 1 }), /need a subscriber/u)
  })
})

describe("builders", () => {
  it("fill in omitted fields", () => {
    const one = addIntegration(empty(), now, { providerId: "fcm" })
    assert.include(one.integration, { active: true, channel: "push", providerId: "fcm" })
    const channels = (["slack", "ses", "twilio", "apns", "service"] as const).map(
      (providerId) => addIntegration(empty(), now, { providerId }).integration.channel
    )
    assert.deepStrictEqual(channels, ["chat", "email", "sms", "push", "in_app"])
    const { state, message } = addMessage(empty(), now, { subscriberId: "ana", read: true })
    assert.include(message, { channel: "in_app", read: true, seen: false, status: "sent" })
    assert.deepStrictEqual(messageOf(state, message.id), message)
  })

  it("an event is sorted by its time", () => {
    const workflows = base(1)
    const { state } = addEvent(workflows, now - 1000, { subscriberId: "ana", workflow: "one" })
    const { state: both } = addEvent(state, now - 5000, { subscriberId: "ana", workflow: "two" })
    assert.deepStrictEqual(
      list(both, "").data.map(({ template }) => template?.name),
      ["one", "two"]
    )
    assert.throws(() => addEvent(both, now, { subscriberId: "ana", workflow: "three" }), /unknown workflow "three"/u)
  })

  it("an email address finds its subscriber until it changes", () => {
    const { state } = addSubscriber(empty(), now, { subscriberId: "ana", email: "a@example.test" })
    const { state: moved } = addSubscriber(state, now, { subscriberId: "ana", email: "b@example.test" })
    assert.deepStrictEqual(subscribersWithEmail(state, "a@example.test"), ["ana"])
    assert.deepStrictEqual(subscribersWithEmail(moved, "a@example.test"), [])
    assert.deepStrictEqual(subscribersWithEmail(moved, "b@example.test"), ["ana"])
    const { state: gone } = addSubscriber(moved, now, { subscriberId: "ana", email: "b@example.test", deleted: true })
    assert.deepStrictEqual(subscribersWithEmail(gone, "b@example.test"), [])
  })
})
