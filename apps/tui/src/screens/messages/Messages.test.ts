import type { Message as InAppMessage } from "@signalbox/core/Message"
import { assert, describe, it } from "@effect/vitest"
import { call, loaded, now, play, pressed, screen } from "../../../test/Sample.ts"
import type { Message } from "../../state/Message.ts"
import { idsIn } from "./MessagesScreen.ts"

const id = (index: number) => `65f0a1b2c3d4e5f6a7b8c9d${index}`

const message = (index: number, read: boolean, seen: boolean): InAppMessage => ({
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

const answer = (markAs: "read" | "unread", messages: ReadonlyArray<InAppMessage>, undo = false): Message => ({
  _tag: "MessagesMarked",
  screenId: 1,
  subscriberId: "u_10000",
  ids: messages.map(({ _id = "" }) => _id),
  markAs,
  undo,
  messages,
  call: { ...call, status: 201 }
})

const list = play(loaded(3), pressed("m"), { _tag: "Paste", text: `${id(0)}, ${id(1)}\n${id(1)}` }).state

describe("the work list of messages", () => {
  it("takes pasted ids once each", () => {
    assert.deepStrictEqual(idsIn(`["a", "b"]\n a;c`), ["a", "b", "c"])
    assert.isTrue(screen(list).some((line) => line.includes("2 known")))
    assert.isTrue(screen(list).some((line) => line.includes("?    ?")))
  })
  it("flips only the named flag at once, then takes the answer", () => {
    const sent = play(list, pressed("r"))
    assert.strictEqual(sent.commands[0]?._tag, "MarkMessages")
    assert.isTrue(screen(sent.state).some((line) => line.includes("yes* ?")))
    const done = play(sent.state, answer("read", [message(0, true, true)])).state
    assert.isTrue(screen(done).some((line) => line.includes("yes  yes") && line.includes("Message 0")))
    assert.include(done.notice?.text, "1 message set to read: 201")
  })
  it("marks many at once", () => {
    const [command] = play(list, pressed("*", "s")).commands
    assert(command?._tag === "MarkMessages")
    assert.deepStrictEqual(command.ids, [id(0), id(1)])
  })
  it("takes the flag back when the service refuses", () => {
    const failed: Message = {
      _tag: "MarkFailed",
      screenId: 1,
      subscriberId: "u_10000",
      ids: [id(0)],
      problem: { summary: "messages.markAs: no answer", nextStep: "Try again.", fields: [], at: now }
    }
    const { state } = play(list, pressed("r"), failed)
    assert.isFalse(screen(state).some((line) => line.includes("yes*")))
    assert.isTrue(screen(state).some((line) => line.includes("messages.markAs: no answer")))
  })
  it("undoes with the inverse and shows what still differs", () => {
    const first = play(list, pressed("r"), answer("read", [message(0, true, true)])).state
    const before = play(first, pressed("R"), answer("unread", [message(0, false, false)])).state
    const [command] = play(before, pressed("u")).commands
    assert(command?._tag === "MarkMessages")
    assert.strictEqual(command.markAs, "read")
    const undone = play(before, pressed("u"), answer("read", [message(0, true, false)], true)).state
    assert.isTrue(screen(undone).some((line) => line.includes("seen was yes, is no")))
    assert.strictEqual(play(undone, pressed("u")).commands.length, 0)
  })
  it("says how many ids the answer did not carry", () => {
    const sent = play(list, pressed("*", "r")).state
    const reply = answer("read", [message(0, true, true)])
    assert(reply._tag === "MessagesMarked")
    const { state } = play(sent, { ...reply, ids: [id(0), id(1)] })
    assert.include(state.notice?.text, "1 id not in the answer")
  })
})
