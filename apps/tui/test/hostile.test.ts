import { ActivityNotification, Message, Subscriber } from "@signalbox/core/Schemas"
import { assert, describe, it } from "@effect/vitest"
import * as Schema from "effect/Schema"
import type { Msg } from "../src/state/Msg.ts"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import { topScreen } from "../src/state/ScreenStack.ts"
import type { State } from "../src/state/State.ts"
import { safe } from "@signalbox/operator/text/Safe"
import { width } from "@signalbox/operator/text/Width"
import { painter } from "../src/theme/Theme.ts"
import { plain, spokenText } from "../src/view/Row.ts"
import { render } from "../src/app/View.ts"
import { call, event, initial, now, page, play, pressed } from "./Sample.ts"

const Poison = Schema.Array(
  Schema.Literals([
    "\u001B[31;8m",
    "\u001B]8;;http://evil.test\u0007",
    "\u001B]52;c;aGk=\u001B\\",
    "\u009B2J",
    "\u0007",
    "\r\n",
    "\t",
    "\u202E",
    "\u2066x\u2069",
    "\u200B",
    "\u0301\u0301\u0301\u0301\u0301",
    "👩‍👩‍👧",
    "注文",
    "\uD83D",
    "x"
  ])
).check(Schema.isMinLength(1), Schema.isMaxLength(6))

/** Characters that must not be drawn. */
const acts = /[\p{Control}\p{Line_Separator}\p{Paragraph_Separator}\p{Surrogate}\u200B\u202A-\u202E\u2066-\u2069]/u

type Poisoned = (text: string, field: string) => string

/** Poisons every string in a record. Keeps the shape of the record. */
const withTexts = <Record>(record: Record, poisoned: Poisoned): Record => {
  const each = (value: unknown, field: string): unknown => {
    if (typeof value === "string") return poisoned(value, field)
    if (Array.isArray(value)) return value.map((part) => each(part, field))
    if (typeof value !== "object" || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, each(part, name)]))
  }
  return each(record, "") as Record
}

/** Fields whose words decide what a screen shows: poisoned in one variant of a record, unchanged in the other. */
const deciding = /^(?:createdAt|updatedAt|status|type|providerId|_id)$/u

const variants = <Record>(record: Record, poison: string): ReadonlyArray<Record> => [
  withTexts(record, (text) => text + poison),
  withTexts(record, (text) => poison + text),
  withTexts(record, (text, field) => (deciding.test(field) ? text : poison + text + poison))
]

const rich: typeof ActivityNotification.Type = {
  ...event(1, { fails: true }),
  tags: ["tag"],
  topics: [{ _topicId: "t", topicKey: "topic" }],
  contextKeys: ["tenant:acme"],
  channels: ["chat"]
}

const message: typeof Message.Type = {
  _id: "65f0a1b2c3d4e5f6a7b8c9d0",
  _environmentId: "e",
  _organizationId: "o",
  _notificationId: "n",
  _subscriberId: "s",
  createdAt: "2026-11-21T12:00:00.000Z",
  transactionId: "txn",
  channel: "in_app",
  read: false,
  seen: true,
  status: "sent",
  errorText: "an error",
  subject: "a subject",
  content: "a content",
  cta: {}
}

const known: typeof Subscriber.Type = {
  _organizationId: "o",
  _environmentId: "e",
  deleted: false,
  createdAt: "2026-11-21T12:00:00.000Z",
  updatedAt: "2026-11-21T12:00:00.000Z",
  subscriberId: "u_1",
  firstName: "Ana",
  email: "a@example.test",
  channels: [
    {
      _integrationId: "i",
      providerId: "slack",
      integrationIdentifier: "slack-1",
      credentials: { webhookUrl: "https://hooks.example.test/1", channel: "general" }
    },
    { _integrationId: "i", providerId: "fcm", credentials: { deviceTokens: ["token-1", "token-2"] } }
  ]
}

const ways: ReadonlyArray<ReadonlyArray<string>> = [
  [],
  ["space", "j"],
  ["enter"],
  ["enter", "h"],
  ["enter", "enter"],
  ["p"],
  ["z"],
  ["enter", "z"],
  ["J"],
  ["s"],
  ["s", "E"],
  ["m"],
  ["c"],
  ["?"],
  [":"],
  ["/", ..."subscriber:"],
  ["/", ..."workflow:", "tab"]
]

const assertHarmless = (state: State) => {
  const rows = render(state)
  const paint = painter("dark", "256")
  const shown = `${topScreen(state)._tag} ${state.overlay?._tag ?? ""}`
  for (const row of rows) {
    assert.notMatch(plain(row), acts, shown)
    assert.notMatch(spokenText(row), acts, shown)
    // oxlint-disable-next-line no-control-regex -- the program's own colours are all that may be left
    assert.notMatch(paint(row).replaceAll(/\u001B\[[\d;]*m/gu, ""), acts, shown)
    assert.strictEqual(width(plain(row)), state.size.columns, shown)
  }
}

/** Each run draws some forty screens. */
const few = { arbitrary: { runs: 25 } }

const sizes = Schema.Literals([60, 80, 100, 120, 200])

const at = (columns: number): State => initial({ columns, rows: columns < 80 ? 15 : 40 })

const withScreen = (state: State, tag: string, message: (screenId: number) => Msg): State => {
  const screen = topScreen(state)
  assert.strictEqual(screen._tag, tag)
  return play(state, message(screen.id)).state
}

describe("text that another wrote", () => {
  it.prop(
    "is drawn safely in whatever field of an event it comes",
    [Poison, sizes],
    ([parts, columns]) => {
      const events = variants(rich, parts.join(""))
      const list = play(at(columns), page(events)).state
      for (const down of events.keys()) {
        for (const way of ways)
          assertHarmless(play(list, pressed(...Array.from({ length: down }, () => "j"), ...way)).state)
      }
    },
    few
  )

  it.prop(
    "is drawn safely in any record that the schema allows",
    [ActivityNotification, Poison],
    ([record, parts]) => {
      const list = play(at(120), page(variants(record, parts.join("")))).state
      for (const way of ways) assertHarmless(play(list, pressed(...way)).state)
    },
    few
  )

  it.prop(
    "is drawn safely in the answer to a mark",
    [Message, Poison, sizes],
    ([record, parts, columns]) => {
      const messages = [...variants(message, parts.join("")), ...variants(record, parts.join(""))]
      const list = play(at(columns), page([rich]), pressed("m")).state
      const mark = { number: 1, subscriberId: "u_10001", ids: [], markAs: "read", undoes: undefined } as const
      const marked = withScreen(list, "Messages", (screenId) => ({
        _tag: "MessagesMarked",
        screenId,
        mark,
        messages,
        notReturned: [],
        call
      }))
      for (const down of messages.keys()) {
        assertHarmless(play(marked, pressed(...Array.from({ length: down }, () => "j"))).state)
      }
    },
    few
  )

  it.prop(
    "is drawn safely in the answer to an upsert",
    [Subscriber, Poison, sizes],
    ([record, parts, columns]) => {
      for (const base of [known, record]) {
        for (const subscriber of variants(base, parts.join(""))) {
          const { subscriberId } = subscriber
          const person = { ...rich, subscriber: { subscriberId, _id: "i" } }
          const form = play(at(columns), page([person]), pressed("c")).state
          const saved = withScreen(form, "Credentials", (screenId) => ({
            _tag: "CredentialsSaved",
            screenId,
            subscriber,
            call: { ...call, idempotencyKey: parts.join(""), requestId: parts.join("") }
          }))
          assertHarmless(saved)
          const there = play(saved, pressed("ctrl-g")).state
          assertHarmless(there)
          assertHarmless(play(there, pressed("v")).state)
          assertHarmless(play(there, pressed("j", "v")).state)
        }
      }
    },
    few
  )

  it.prop(
    "is drawn safely in everything that is said of a call",
    [Poison, sizes],
    ([parts, columns]) => {
      const poison = parts.join("")
      const problem: Problem = {
        summary: poison,
        advice: poison,
        requestId: poison,
        fields: [{ path: `credentials.webhookUrl`, message: poison }],
        at: now
      }
      const list = play(at(columns), page([rich])).state
      const form = play(list, pressed("c")).state
      const messages: ReadonlyArray<readonly [State, Msg]> = [
        [list, { _tag: "EventsFailed", screenId: 0, mode: "refresh", problem }],
        [list, { _tag: "Noticed", notice: { text: poison, tone: "failed" } }],
        [list, { _tag: "TaskStarted", task: { id: 1, label: poison, note: poison, startedAt: now, writes: true } }],
        [form, { _tag: "CredentialsRefused", screenId: topScreen(form).id, problem }],
        [form, { _tag: "Paste", text: poison }],
        [list, { _tag: "Connected", connection: { ...list.connection, name: poison, kind: "live" }, theme: undefined }]
      ]
      for (const [state, message] of messages) {
        const next = play(state, message).state
        for (const key of ["space", "ctrl-t", "escape", "H"]) assertHarmless(play(next, pressed(key)).state)
        assertHarmless(play(next, pressed("escape", "H")).state)
        assertHarmless(next)
      }
      const live = { ...list, connection: { ...list.connection, name: poison, kind: "live" as const } }
      assertHarmless(play(live, pressed("c"), { _tag: "Paste", text: "https://a.test" }, pressed("ctrl-s")).state)
      assertHarmless(play(live, pressed(":", ..."connect "), { _tag: "Paste", text: poison }).state)
      assert.notMatch(safe(poison), acts)
    },
    few
  )
})
