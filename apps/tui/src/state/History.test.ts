import { assert, describe, it } from "@effect/vitest"
import { call, loaded, now, play, pressed, screen } from "../../test/Sample.ts"
import type { Msg } from "./Msg.ts"
import { topScreen } from "./ScreenStack.ts"

const problem = {
  summary: "events.list failed: 503.",
  advice: "Repeat later.",
  requestId: "req-1",
  fields: [],
  at: now
}

const failed: Msg = { _tag: "EventsFailed", screenId: 0, mode: "refresh", problem }

const started = (id: number, writes: boolean): Msg => ({
  _tag: "TaskStarted",
  task: { id, label: `task ${id}`, startedAt: now, writes }
})

const saved: Msg = { _tag: "Noticed", notice: { text: "2 events saved as failed.json", tone: "ok" } }

describe("what happened", () => {
  it("has the outcome of a form with its integration, without the key that its notice names", () => {
    const form = play(loaded(5), pressed("j", "j", "c", "shift-tab", ..."slack-support")).state
    const subscriber = { subscriberId: "u_10002", _organizationId: "o", _environmentId: "e", deleted: false }
    const times = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-11-21T12:41:07.000Z" }
    const { state } = play(form, {
      _tag: "CredentialsSaved",
      screenId: 1,
      call,
      subscriber: { ...subscriber, ...times }
    })
    assert.include(state.notice?.text, "; ")
    assert.deepStrictEqual(
      state.history.map(({ text }) => text),
      ["saved (integration slack-support): 200 in 143 ms"]
    )
  })
  it("is saved as a report from the list of causes, too", () => {
    const { commands } = play(loaded(5), pressed("C", ":", ..."report it.md", "enter"))
    assert.strictEqual(commands[0]?._tag, "SaveFile")
  })
  const state = play(
    loaded(3),
    started(1, false),
    { _tag: "TaskNoted", id: 1, note: "attempt 1 failed (ServerFailure)" },
    failed,
    started(2, true),
    saved,
    pressed("j", "j"),
    pressed("B")
  ).state
  it("is there after the next key: changes, results and failures with their request, the latest first", () => {
    const shown = play(state, pressed("H")).state
    const top = topScreen(shown)
    assert(top._tag === "Text")
    assert.deepStrictEqual(top.lines, [
      "12:41:07.000Z  2 events saved as failed.json",
      "12:41:07.000Z  task 2",
      "12:41:07.000Z  events.list failed: 503. (request req-1) Repeat later.",
      "12:41:07.000Z  task 1: attempt 1 failed (ServerFailure)"
    ])
  })
  it("is kept from one connection to the next, and is of bounded length", () => {
    const connection = { ...state.connection, name: "staging" }
    const there = play(state, { _tag: "Connected", connection, theme: undefined }).state
    assert.include(there.history.at(-1)?.text, "connected to staging")
    const many = play(there, ...Array.from({ length: 600 }, () => failed)).state
    assert.lengthOf(many.history, 500)
  })
  it("reports when there is nothing", () => {
    assert.include(screen(play(loaded(1), pressed("H")).state).at(-2), "nothing has been changed and nothing failed")
  })
  it("does not grow with keys that do nothing", () => {
    assert.deepStrictEqual(play(loaded(1), pressed("N", "U", "X")).state.history, [])
  })
})
