import type { ActivityNotification, Message, Subscriber } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import {
  addMessageIds,
  expectMessages,
  fromEvents,
  fromMarks,
  fromUpsert,
  messagesOf,
  noFacts,
  noteChanges
} from "./Facts.ts"

const event = (subscriberId: string, given: object = {}): ActivityNotification => ({
  _environmentId: "environment",
  _organizationId: "organization",
  _subscriberId: "internal",
  transactionId: "transaction",
  subscriber: { subscriberId, _id: "internal", ...given }
})

const subscriber = (given: Partial<Subscriber> = {}): Subscriber => ({
  subscriberId: "u_1",
  _organizationId: "organization",
  _environmentId: "environment",
  deleted: false,
  createdAt: "2026-01-01T00:00:00Z",
  updatedAt: "2026-01-01T00:00:00Z",
  ...given
})

const message = (given: Partial<Message> = {}): Message => ({
  _id: "m_1",
  _environmentId: "environment",
  _organizationId: "organization",
  _notificationId: "event",
  _subscriberId: "internal",
  createdAt: "2026-01-01T00:00:00Z",
  transactionId: "transaction",
  channel: "in_app",
  read: false,
  seen: false,
  status: "sent",
  cta: {},
  ...given
})

const slack = { providerId: "slack", _integrationId: "1", credentials: {} }

describe("subscribers", () => {
  it("are learnt from events, with their source and time", () => {
    const known = fromEvents(noFacts, [event("u_1", { firstName: "Ana" })], 10).subscribers.get("u_1")
    assert.deepStrictEqual(known?.profile, { _id: "internal", firstName: "Ana" })
    assert.deepStrictEqual(known?.profileFrom, { source: "an event", at: 10 })
    assert.notProperty(known, "channels")
  })

  it("keep what a later answer leaves out or has as null", () => {
    const first = fromEvents(noFacts, [event("u_1", { firstName: "Ana", phone: "1" })], 10)
    const known = fromUpsert(first, subscriber({ firstName: null, lastName: "Ruiz" }), 20).subscribers.get("u_1")
    assert.deepInclude(known?.profile, { firstName: "Ana", lastName: "Ruiz", phone: "1" })
  })

  it("tell no credentials from credentials that are not known", () => {
    const unknown = fromUpsert(noFacts, subscriber(), 10).subscribers.get("u_1")
    const none = fromUpsert(noFacts, subscriber({ channels: [] }), 10).subscribers.get("u_1")
    assert.notProperty(unknown, "channels")
    assert.deepStrictEqual(none?.channels, [])
    assert.deepStrictEqual(none?.channelsFrom, { source: "the last change of credentials", at: 10 })
  })

  it("keep credentials that an event or a later answer does not carry", () => {
    const answered = fromUpsert(noFacts, subscriber({ channels: [slack] }), 10)
    assert.deepStrictEqual(fromEvents(answered, [event("u_1")], 20), answered)
    const later = fromUpsert(answered, subscriber({ locale: "es" }), 30).subscribers.get("u_1")
    assert.deepStrictEqual(later?.channels, [slack])
    assert.strictEqual(later?.channelsFrom?.at, 10)
    assert.strictEqual(later?.profileFrom?.at, 30)
  })

  it("note the changes of a run where they are known", () => {
    const known = fromEvents(noFacts, [event("u_1")], 10)
    assert.strictEqual(noteChanges(known, [["u_9", "slack"]], 20), known)
    const once = noteChanges(
      known,
      [
        ["u_1", "slack"],
        ["u_9", "slack"]
      ],
      20
    )
    const twice = noteChanges(once, [["u_1", "fcm"]], 30).subscribers
    assert.deepStrictEqual([...twice.keys()], ["u_1"])
    assert.deepStrictEqual(
      twice.get("u_1")?.changedAt,
      new Map([
        ["slack", 20],
        ["fcm", 30]
      ])
    )
  })

  it("are left out where the event does not carry them", () => {
    const { subscriber: _, ...bare } = event("u_1")
    assert.strictEqual(fromEvents(noFacts, [bare], 10).subscribers.size, 0)
  })
})

describe("messages", () => {
  it("are learnt from the answer to a mark, with the subscriber inside", () => {
    const known = fromMarks(
      noFacts,
      "u_1",
      [message({ subscriber: subscriber({ channels: [slack] }) }), message({ _id: "m_2" })],
      10
    )
    assert.deepStrictEqual(
      messagesOf(known, "u_1").map(({ id }) => id),
      ["m_1", "m_2"]
    )
    assert.deepStrictEqual(known.subscribers.get("u_1")?.channels, [slack])
    assert.deepStrictEqual(messagesOf(known, "u_2"), [])
  })

  it("of an answer without an id cannot be named", () => {
    const { _id: _, ...nameless } = message()
    assert.deepStrictEqual(messagesOf(fromMarks(noFacts, "u_1", [nameless], 10), "u_1"), [])
  })

  it("that are known keep what is known when their id is typed again", () => {
    const known = fromMarks(noFacts, "u_1", [message()], 10)
    const again = addMessageIds(known, "u_1", ["m_1", "m_9"], { source: "typed", at: 20 })
    assert.deepStrictEqual(
      messagesOf(again, "u_1").map(({ id, from }) => [id, from.at]),
      [
        ["m_1", 10],
        ["m_9", 20]
      ]
    )
    assert.strictEqual(messagesOf(again, "u_1")[0]?.message?.read, false)
  })

  it("carry what is expected until the service answers", () => {
    const known = addMessageIds(noFacts, "u_1", ["m_1"], { source: "typed", at: 0 })
    const expecting = expectMessages(known, ["m_1", "m_unknown"], { read: true })
    assert.deepStrictEqual(messagesOf(expecting, "u_1")[0]?.expected, { read: true })
    assert.strictEqual(expecting.messages.size, 1)
    assert.notProperty(messagesOf(expectMessages(expecting, ["m_1"], undefined), "u_1")[0], "expected")
    assert.notProperty(messagesOf(fromMarks(expecting, "u_1", [message({ read: true })], 5), "u_1")[0], "expected")
  })
})
