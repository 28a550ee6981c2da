import type { Message } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { call, loaded, now, play, pressed, screen, toLine } from "../../../test/Sample.ts"
import type { Command } from "../../state/Command.ts"
import type { Msg } from "../../state/Msg.ts"
import type { State } from "../../state/State.ts"
import { idsIn } from "./MessagesScreen.ts"
import type { MarkFailure, MarkRequest } from "../../state/Mark.ts"

const id = (index: number) => `65f0a1b2c3d4e5f6a7b8c9d${index}`

const message = (index: number, read: boolean, seen: boolean): Message => ({
  _id: id(index),
  _environmentId: "e",
  _organizationId: "o",
  _notificationId: "n",
  _subscriberId: "s",
  createdAt: "2026-11-21T12:00:00.000Z",
  transactionId: "txn",
  channel: "in_app",
  read,
  seen,
  status: "sent",
  subject: `Message ${index}`
})

/** The mark that the last command asks for. */
const sentBy = (commands: ReadonlyArray<Command>): MarkRequest => {
  const command = commands.at(-1)
  assert(command?._tag === "MarkMessages")
  return command.mark
}

/** The service answers a mark with these messages. */
const answer = (mark: MarkRequest, messages: ReadonlyArray<Message>): Msg => ({
  _tag: "MessagesMarked",
  screenId: 1,
  mark,
  messages,
  notReturned: mark.ids.filter((wanted) => !messages.some(({ _id }) => _id === wanted)),
  call: { ...call, status: 201 }
})

const problem = { summary: "messages.markAs: no response", advice: "Try again.", fields: [], at: now }

interface Failing {
  readonly done?: ReadonlyArray<Message>
  readonly failed?: ReadonlyArray<string>
  readonly notTried?: ReadonlyArray<string>
  readonly result?: MarkFailure["result"]
}

/** A mark fails after some of its messages are done. */
const failure = (mark: MarkRequest, { done = [], failed = [], notTried = [], result = "refused" }: Failing): Msg => ({
  _tag: "MarkFailed",
  screenId: 1,
  mark,
  report: {
    done: done.map(({ _id = "" }) => _id),
    messages: done,
    failed: new Map(failed.map((one) => [one, { result, why: `the reason for ${one}` }])),
    notTried
  },
  problem
})

/** Presses keys that mark, and lets the service answer with the messages. */
const markedWith = (state: State, keys: ReadonlyArray<string>, messages: ReadonlyArray<Message>): State => {
  const sent = play(state, pressed(...keys))
  return play(sent.state, answer(sentBy(sent.commands), messages)).state
}

const lineOf = (state: State, text: string): string => screen(state).find((line) => line.includes(text)) ?? ""

const list = play(loaded(3), pressed("m"), { _tag: "Paste", text: `${id(0)}, ${id(1)}\n${id(1)}` }).state

describe("the work list of messages", () => {
  it("accepts pasted ids once each", () => {
    assert.deepStrictEqual(idsIn(`["a", "b"]\n a;c`), ["a", "b", "c"])
    assert.isTrue(screen(list).some((line) => line.includes("2 known")))
    assert.isTrue(screen(list).some((line) => line.includes("?    ?")))
  })
  it("flips only the named flag at once, then takes the answer", () => {
    const sent = play(list, pressed("r"))
    assert.strictEqual(sent.commands[0]?._tag, "MarkMessages")
    assert.isTrue(screen(sent.state).some((line) => line.includes("yes* ?")))
    const done = play(sent.state, answer(sentBy(sent.commands), [message(0, true, true)])).state
    assert.isTrue(screen(done).some((line) => line.includes("yes  yes") && line.includes("Message 0")))
    assert.include(done.notice?.text, "1 message set to read: 201")
  })
  it("names the zone of its times", () => {
    const sent = play(list, pressed("r"))
    const done = play(sent.state, answer(sentBy(sent.commands), [message(0, true, true)])).state
    assert.include(screen(done).join("\n"), "READ SEEN UTC ")
    const zoned = play(done, pressed(":", ..."tz Asia/Kolkata", "enter")).state
    assert.match(screen(zoned).join("\n"), /READ SEEN \S*5:30 /u)
    assert.include(screen(zoned).join("\n"), " 17:30")
  })
  it("marks many at once", () => {
    assert.deepStrictEqual(sentBy(play(list, pressed("*", "s")).commands).ids, [id(0), id(1)])
  })
  it("restores the flag when the service refuses", () => {
    const sent = play(list, pressed("r"))
    const { state } = play(sent.state, failure(sentBy(sent.commands), { failed: [id(0)] }))
    assert.isFalse(screen(state).some((line) => line.includes("yes*")))
    assert.isTrue(screen(state).some((line) => line.includes("messages.markAs: no response")))
  })
  it("undoes with the inverse and shows what still differs", () => {
    const read = markedWith(list, ["r"], [message(0, true, true)])
    const unread = markedWith(read, ["R"], [message(0, false, false)])
    assert.strictEqual(sentBy(play(unread, pressed("u")).commands).markAs, "read")
    const undone = markedWith(unread, ["u"], [message(0, true, false)])
    assert.isTrue(screen(undone).some((line) => line.includes("seen was yes, is no")))
    assert.strictEqual(play(undone, pressed("u")).commands.length, 0)
  })
  it("reports how many ids the response did not contain, and which", () => {
    const state = markedWith(list, ["*", "r"], [message(0, true, true)])
    assert.include(state.notice?.text, "1 id not in the response")
    assert.include(lineOf(state, "Message 0"), "✓ done")
    assert.include(lineOf(state, id(1)), "! no record")
  })
})

describe("taking ids off the list", () => {
  it("drops the one under the cursor, or the selected ones, and sends no request", () => {
    const one = play(list, pressed("d"))
    assert.deepStrictEqual(one.commands, [])
    assert.isTrue(screen(one.state).some((line) => line.includes("1 known")))
    assert.strictEqual(lineOf(one.state, id(0)), "")
    const none = play(list, pressed("*", "d")).state
    assert.isTrue(screen(none).some((line) => line.includes("No known messages: the API cannot list messages.")))
    assert.include(play(none, pressed("d")).state.notice?.text, "i adds ids")
  })
  it("waits for the answer of a mark", () => {
    const sent = play(list, pressed("r", "d"))
    assert.include(sent.state.notice?.text, "its mark is in progress")
    assert.isTrue(screen(sent.state).some((line) => line.includes("2 known")))
  })
})

describe("a mark that fails in part", () => {
  const four = play(list, { _tag: "Paste", text: `${id(2)} ${id(3)}` }).state
  const sent = play(
    markedWith(
      four,
      ["*", "s"],
      [0, 1, 2, 3].map((index) => message(index, false, true))
    ),
    pressed("*", "r")
  )
  const first = sentBy(sent.commands)
  const state = play(
    sent.state,
    failure(first, { done: [message(0, true, true), message(1, true, true)], failed: [id(2)], notTried: [id(3)] })
  ).state

  it("shows the outcome of each message, and the reason", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 3].map((index) =>
        lineOf(state, `Message ${index}`)
          .trimEnd()
          .replace(/^.* {2}/u, "")
      ),
      ["✓ done", "✓ done", "✗ refused", "- not tried"]
    )
    const text = screen(state).join("\n")
    assert.include(text, "messages.markAs: no response")
    assert.include(text, "x tries again now")
    assert.include(screen(play(state, pressed("G")).state).join(" "), "the mark as read was not sent")
    assert.include(screen(play(state, toLine(2)).state).join(" "), "failed and changed nothing")
    const third = screen(play(state, toLine(2)).state).map((line) => line.trim())
    assert.include(third.join(" "), `(the reason for ${id(2)})`)
  })
  it("keeps the flag only where it is done", () => {
    const flags = [0, 1, 2, 3].map((index) => lineOf(state, `Message ${index}`).slice(3, 8).trim())
    assert.deepStrictEqual(flags, ["yes", "yes", "no", "no"])
  })
  it("sends again only what failed or was not tried", () => {
    const again = sentBy(play(state, pressed("x")).commands)
    assert.deepStrictEqual(again, { ...first, ids: [id(2), id(3)] })
    assert.strictEqual(play(state, pressed("x", "x")).commands.length, 1)
  })
  it("is done as a whole after that, and undone as a whole", () => {
    const done = markedWith(state, ["x"], [message(2, true, true), message(3, true, true)])
    assert.isFalse(screen(done).some((line) => /refused|not tried|no response/u.test(line)))
    assert.strictEqual(play(done, pressed("x")).commands.length, 0)
    const undo = sentBy(play(done, pressed("u")).commands)
    assert.deepStrictEqual([undo.ids, undo.markAs], [[id(0), id(1), id(2), id(3)], "unread"])
  })
  it("is undone only where it was done, and an undo that fails in part leaves the rest to undo", () => {
    const undo = play(state, pressed("u"))
    assert.deepStrictEqual(sentBy(undo.commands).ids, [id(0), id(1)])
    const half = play(
      undo.state,
      failure(sentBy(undo.commands), { done: [message(0, false, true)], failed: [id(1)] })
    ).state
    assert.deepStrictEqual(sentBy(play(half, pressed("u")).commands).ids, [id(1)])
    assert.include(screen(play(half, toLine(1)).state).join(" "), "the undo to unread failed")
  })
  it("leaves the mark before as the one to undo when nothing of it was done", () => {
    const none = play(sent.state, failure(first, { failed: first.ids, result: "unsure" })).state
    assert.include(lineOf(none, "Message 0"), "? unsure")
    const shown = screen(play(none, toLine(0)).state).map((line) => line.trim())
    assert.include(shown.join(" "), "the mark as read failed, but may have been applied; x sends it again")
    const undo = sentBy(play(none, pressed("u")).commands)
    assert.deepStrictEqual([undo.markAs, undo.ids.length], ["unseen", 4])
  })
  it("keeps its results when the screen is left and opened again", () => {
    const back = play(state, pressed("escape", "m")).state
    assert.deepStrictEqual(sentBy(play(back, pressed("x")).commands).ids, [id(2), id(3)])
  })
  it("counts as done when the service accepted it although its answer could not be read", () => {
    const odd = play(sent.state, failure(first, { failed: first.ids, result: "done" })).state
    assert.include(lineOf(odd, "Message 2"), "✓ done")
    assert.strictEqual(play(odd, pressed("x")).commands.length, 0)
    const shown = odd.facts.messages.get(id(0))
    assert.deepStrictEqual(
      [shown?.message?.read, shown?.from?.source],
      [true, "a mark whose response lacks the message"]
    )
  })
  it("requires confirmation on a live connection with the number of messages, and once for all marks", () => {
    const live: State = { ...state, connection: { ...state.connection, kind: "live", name: "prod" } }
    const asked = play(live, pressed("x")).state
    assert.include(
      screen(asked).join(" "),
      "LIVE prod: mark 2 messages of u_10000 that failed or were not tried as read?"
    )
    assert.strictEqual(play(asked, pressed("y")).commands.length, 1)
  })
})

describe("a work list that is left", () => {
  const sent = play(list, pressed("*", "r"))
  const both = [message(0, true, true), message(1, true, true)]
  it("still can undo its last mark when it is opened again", () => {
    const done = play(sent.state, answer(sentBy(sent.commands), both), pressed("escape", "m")).state
    const undo = sentBy(play(done, pressed("u")).commands)
    assert.deepStrictEqual([undo.markAs, undo.ids], ["unread", [id(0), id(1)]])
  })
  it("accepts the response that arrives meanwhile, and reports it", () => {
    const away = play(sent.state, pressed("escape")).state
    const back = play(away, pressed("m")).state
    assert.include(lineOf(back, id(0)), "→")
    const answered = play(away, answer(sentBy(sent.commands), both)).state
    assert.include(answered.notice?.text, "2 messages set to read")
    const undo = sentBy(play(answered, pressed("m", "u")).commands)
    assert.deepStrictEqual(undo.ids, [id(0), id(1)])
  })
  it("reports a failure that arrives meanwhile, and shows it when it is opened again", () => {
    const failed = failure(sentBy(sent.commands), { failed: [id(0), id(1)] })
    const away = play(sent.state, pressed("escape"), failed).state
    assert.include(away.notice?.text, "marking 2 messages of u_10000 as read failed: messages.markAs: no response")
    const back = play(away, pressed("m")).state
    assert.isTrue(screen(back).some((line) => line.includes("messages.markAs: no response")))
  })
  it("has the messages that were chosen", () => {
    const back = play(list, pressed("*", "escape", "m")).state
    assert.include(screen(back)[1], "2 selected")
  })
})
