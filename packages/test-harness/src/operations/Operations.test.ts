import * as Read from "@signalbox/core/Schemas"
import { EventPage } from "@signalbox/core/internal/contract/Activity"
import { Message } from "@signalbox/core/internal/contract/Message"
import { Subscriber } from "@signalbox/core/internal/contract/Subscriber"
import { assert, describe, it } from "@effect/vitest"
import * as HashMap from "effect/HashMap"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { makeDemoState } from "../environment/DemoState.ts"
import * as EventLog from "../state/EventLog.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import * as Random from "../random/Random.ts"
import * as Switches from "../switches/Switches.ts"
import { upsertCredentials } from "./CredentialsUpsert.ts"
import { listEvents } from "./EventsList.ts"
import { markMessagesAs } from "./MessagesMarkAs.ts"
import type { OperationContext, OperationResult } from "./OperationResponse.ts"

const now = Date.UTC(2026, 10, 21, 8)

const strict = {
  "credentials.upsert": SchemaParser.decodeUnknownSync(Subscriber),
  "messages.markAs": SchemaParser.decodeUnknownSync(Schema.Array(Message)),
  "events.list": SchemaParser.decodeUnknownSync(EventPage)
} as const

const tolerant = {
  "credentials.upsert": SchemaParser.decodeUnknownSync(Read.Subscriber),
  "messages.markAs": SchemaParser.decodeUnknownSync(Schema.Array(Read.Message)),
  "events.list": SchemaParser.decodeUnknownSync(Read.EventPage)
} as const

type Name = keyof typeof strict

interface Step {
  readonly name: Name
  readonly run: (state: EnvironmentState, context: OperationContext) => OperationResult
}

const subscribers = ["u_10377", "u_12308", "u_16170", "u_18101", "acme:ops/7", "nobody"] as const

/** One step of a program, drawn from a stream. */
const draw = (random: Random.Stream, messageIds: ReadonlyArray<string>): Step => {
  const subscriberId = Random.pick(random, subscribers)
  const kind = Random.whole(random, 1, 3)
  if (kind === 1) {
    const providerId = Random.pick(random, ["slack", "fcm", "apns", "discord", "msteams", "pushpad", "bogus"])
    const credentials = Random.pick<object>(random, [
      { deviceTokens: ["a", "b"] },
      { deviceTokens: ["b", "b", `t${Random.whole(random, 0, 9)}`] },
      { deviceTokens: [] },
      { webhookUrl: "https://hooks.example.test/x", channel: "#x" },
      { alertUid: "1", title: "T" },
      {}
    ])
    return {
      name: "credentials.upsert",
      run: (state, context) => upsertCredentials(state, context, subscriberId, { providerId, credentials })
    }
  }
  if (kind === 2) {
    const count = Random.whole(random, 1, 5)
    const messageId = Array.from(
      { length: count },
      () => messageIds[Math.floor(random() * messageIds.length)] ?? "f".repeat(24)
    )
    const markAs = Random.pick(random, ["read", "unread", "seen", "unseen", "opened"])
    return {
      name: "messages.markAs",
      run: (state, context) => markMessagesAs(state, context, subscriberId, { messageId, markAs })
    }
  }
  const query = new URLSearchParams()
  if (Random.whole(random, 0, 1) === 1)
    query.append("channels", Random.pick(random, ["email", "push", "digest", "fax"]))
  if (Random.whole(random, 0, 2) === 1) query.append("subscriberIds", subscriberId)
  if (Random.whole(random, 0, 3) === 1) query.append("severity", Random.pick(random, ["high", "none"]))
  if (Random.whole(random, 0, 3) === 1) query.append("limit", `${Random.whole(random, 0, 52)}`)
  if (Random.whole(random, 0, 3) === 1) query.append("page", `${Random.whole(random, -1, 4)}`)
  if (Random.whole(random, 0, 5) === 1) query.append("contextKeys", "tenant:acme")
  return { name: "events.list", run: (state, context) => listEvents(state, context, query.toString()) }
}

const unwrapped = (body: unknown, name: Name, switches: Switches.Switches): unknown =>
  switches.envelope === "data" && name !== "events.list" && typeof body === "object" && body !== null && "data" in body
    ? body.data
    : body

const play = (
  seed: number,
  switches: Switches.Switches,
  check: (name: Name, result: OperationResult, before: EnvironmentState) => void
) => {
  const random = Random.stream(seed)
  let state = makeDemoState({ now, seed, events: 30 })
  const messageIds = [...HashMap.keys(state.messages)].toSorted()
  let time = now
  for (let number = 0; number < 25; number += 1) {
    time += Random.whole(random, 0, 900_000)
    const step = draw(random, messageIds)
    const result = step.run(state, { switches, now: time, path: "/v1" })
    check(step.name, result, state)
    ;({ state } = result)
  }
  return state
}

describe("Operations", () => {
  it("with the preset document, every 2xx body matches the document exactly", () => {
    const answered = new Set<Name>()
    for (let seed = 1; seed <= 20; seed += 1) {
      play(seed, Switches.document, (name, { response }) => {
        if (response.status >= 300) return
        answered.add(name)
        assert.strictEqual(response.status, name === "messages.markAs" ? 201 : 200)
        strict[name](response.body)
      })
    }
    assert.strictEqual(answered.size, 3)
  })

  it("with every preset, the tolerant schemas can read each 2xx body", () => {
    const presets = [
      Switches.observed,
      Switches.adversarial,
      ...Array.from({ length: 25 }, (_, n) => Switches.seeded(n))
    ]
    for (const [seed, switches] of presets.entries()) {
      play(seed, switches, (name, { response }) => {
        if (response.status < 300) tolerant[name](unwrapped(response.body, name, switches))
        else assert.include([400, 402, 404, 422, 500], response.status)
      })
    }
  })

  it("errors and event lists change nothing that another event list could show", () => {
    const everything = (state: EnvironmentState, at: number) =>
      JSON.stringify(listEvents(state, { switches: Switches.document, now: at }, "limit=50").response.body)
    for (let seed = 30; seed < 36; seed += 1) {
      play(seed, Switches.document, (name, { response, state }, before) => {
        if (name !== "events.list" && response.status < 300) return
        assert.strictEqual(everything(state, now + 86_400_000), everything(before, now + 86_400_000))
        assert.deepStrictEqual(
          [...HashMap.values(state.subscribers)].map(({ channels }) => channels),
          [...HashMap.values(before.subscribers)].map(({ channels }) => channels)
        )
      })
    }
  })

  it("all pages together are the complete list, for any page size", () => {
    const state = makeDemoState({ now, events: 130 })
    const wanted = EventLog.all(state.events)
      .toReversed()
      .filter(({ channels }) => channels.includes("push"))
      .map(({ id }) => id)
    for (const limit of [1, 7, 50]) {
      const ids: Array<string | undefined> = []
      let hasMore = true
      for (let page = 0; hasMore; page += 1) {
        const query = `channels=push&limit=${limit}&page=${page}`
        const { body } = listEvents(state, { switches: Switches.document, now }, query).response
        const read = strict["events.list"](body)
        ids.push(...read.data.map(({ _id }) => _id))
        ;({ hasMore } = read)
      }
      assert.deepStrictEqual(ids, wanted)
    }
  })

  it("changes to a new state do not affect an old one", () => {
    const first = makeDemoState({ now, seed: 2, events: 30 })
    const messageId = [...HashMap.values(first.messages)].find(({ channel }) => channel === "in_app")
    const before = JSON.stringify(messageId)
    const context = { switches: Switches.document, now }
    const changed = markMessagesAs(first, context, messageId?.subscriberId ?? "", {
      messageId: messageId?.id,
      markAs: messageId?.read === true ? "unread" : "read"
    })
    assert.strictEqual(changed.response.status, 201)
    assert.notStrictEqual(changed.state, first)
    assert.strictEqual(
      JSON.stringify([...HashMap.values(first.messages)].find(({ id }) => id === messageId?.id)),
      before
    )
    assert.strictEqual(changed.state.subscribers, first.subscribers)
  })

  it("never includes secrets of a request in an error", () => {
    const state = makeDemoState({ now, events: 1 })
    for (const switches of [Switches.document, Switches.observed]) {
      const secret = "https://hooks.example.test/very-secret"
      const { response } = upsertCredentials(state, { switches, now }, "u_10377", {
        providerId: "bogus",
        credentials: { webhookUrl: secret, deviceTokens: [7] }
      })
      assert.isAtLeast(response.status, 400)
      assert.notInclude(JSON.stringify(response), "very-secret")
    }
  })
})
