import { assert, describe, it } from "@effect/vitest"
import { event, initial, loaded, now, play, pressed, screen } from "../../test/Sample.ts"
import type { State } from "../state/State.ts"
import { type Action, keysOf } from "../actions/Action.ts"
import { keyColumns, nameColumns } from "../overlay/HelpView.ts"
import { actions, actionsAt, places } from "./Actions.ts"

const messageId = "65f0a1b2c3d4e5f6a7b8c9d"

const command = (state: State, ...keys: ReadonlyArray<string>) => {
  const [first] = play(state, pressed(...keys)).commands
  assert.isDefined(first)
  return first
}

describe("the table of actions", () => {
  it("names every action once and describes it in a sentence", () => {
    assert.strictEqual(new Set(actions.map(({ id }) => id)).size, actions.length)
    for (const { description } of actions) assert.match(description, /^[A-Z].*\.$/u)
  })
  it("binds no key twice on a screen, and no key to the beginning of a sequence", () => {
    for (const place of places) {
      const keys = actionsAt(place).flatMap((action) => action.keys)
      assert.deepStrictEqual(
        keys.filter((key, at) => keys.indexOf(key) !== at),
        [],
        place
      )
      for (const key of keys) {
        assert.isFalse(
          keys.some((other) => other.startsWith(`${key} `)),
          `${place}: ${key}`
        )
      }
    }
  })
  it("lists nothing in a place where it has no key and no palette to type its word into", () => {
    const listed = places
      .filter((place) => actionsAt(place).every(({ id }) => id !== "command palette"))
      .flatMap((place) => actionsAt(place).filter(({ keys }) => keys.length === 0))
    assert.deepStrictEqual(listed, [])
  })
  it("copies what went wrong with its request id, from the screen and from the form", () => {
    const problem = { summary: "it failed.", advice: "Ask.", requestId: "req-4711", fields: [], at: now }
    const list = play(loaded(3), { _tag: "EventsFailed", screenId: 0, mode: "refresh", problem }).state
    assert.isTrue(screen(list).some((line) => line.includes("(request req-4711; yp copies this)")))
    const form = play(loaded(3), pressed("c"), { _tag: "CredentialsRefused", screenId: 1, problem }).state
    assert.isTrue(screen(form).some((line) => line.includes("(request req-4711; ctrl-p copies this)")))
    for (const copied of [command(list, "y", "p"), command(form, "ctrl-p")]) {
      assert(copied._tag === "Copy")
      assert.include(copied.text, "Request: req-4711")
    }
    assert.include(play(loaded(3), pressed("y", "p")).state.notice?.text, "nothing went wrong here")
  })
  it("reports that there is no event before anything is loaded, for every action on an event", () => {
    for (const key of ["c", "p", "J", "s", "m", "o", "e", "enter", "space"]) {
      assert.include(play(initial(), pressed(key)).state.notice?.text, "there is no event here", key)
    }
  })
  it("fits the columns of the help", () => {
    for (const action of actions) {
      assert.isAtMost(action.id.length, nameColumns, action.id)
      assert.isAtMost(keysOf(action).length, keyColumns, keysOf(action))
    }
  })
  it("can be reached: every action has a key or a word for the palette", () => {
    const unreachable = (action: Action) => action.keys.length === 0 && action.word === undefined
    assert.deepStrictEqual(actions.filter(unreachable), [])
  })
  it("leaves nothing to do for a read-only connection that writes", () => {
    const readOnly = { ...loaded(3), connection: { ...loaded(3).connection, kind: "live" as const, readOnly: true } }
    const messages = play(readOnly, pressed("m"), { _tag: "Paste", text: "a b" }).state
    for (const key of ["r", "R", "s", "S"]) assert.deepStrictEqual(play(messages, pressed(key)).commands, [])
  })
})

describe("leaving", () => {
  const connect = [":", ..."connect staging", "enter"]
  const form = play(loaded(5), pressed("c", ..."slack", "escape")).state
  it("requires confirmation before a form with unsent changes is discarded, by another connection or by quitting", () => {
    const asked = play(form, pressed(...connect))
    assert.deepStrictEqual(asked.commands, [])
    assert(asked.state.overlay?._tag === "Confirm")
    assert.include(asked.state.overlay.question, "1 form with unsent changes will be discarded.")
    assert.deepStrictEqual(play(asked.state, pressed("y")).commands, [{ _tag: "Connect", name: "staging" }])
    for (const key of ["q", "ctrl-c"]) {
      const quitting = play(form, pressed(key))
      assert.deepStrictEqual(quitting.commands, [])
      assert.deepStrictEqual(play(quitting.state, pressed("ctrl-c")).commands, [{ _tag: "Quit" }])
    }
  })
  it("requires no confirmation where nothing is at stake", () => {
    assert.deepStrictEqual(play(loaded(5), pressed(...connect)).commands, [{ _tag: "Connect", name: "staging" }])
  })
})

describe("taking things out", () => {
  it("copies a report of the event, or of the selected ones", () => {
    const one = command(loaded(5), "j", "j", "y", "y")
    assert(one._tag === "Copy")
    assert.include(one.text, "**comment-mention: FAILED**")
    const two = command(loaded(5), "space", "space", "y", "y")
    assert(two._tag === "Copy")
    assert.strictEqual(two.text.split("order-shipped").length - 1, 2)
  })
  it("copies ids", () => {
    const copied = command(loaded(5), "space", "space", "y", "t")
    assert(copied._tag === "Copy")
    assert.strictEqual(copied.text, "txn_0000\ntxn_0001")
  })
  it("copies the subscriber's id by the same keys wherever there is a subscriber, and nothing else happens", () => {
    for (const way of [[], ["enter"], ["s"], ["m"]]) {
      const state = play(loaded(5), pressed(...way), { _tag: "Paste", text: messageId }).state
      const { commands } = play(state, pressed("y", "s"))
      assert.deepStrictEqual(commands, [{ _tag: "Copy", text: "u_10000", what: "subscriber id" }], way.join(" "))
    }
  })
  it("copies the ids of messages, and the request that marks them", () => {
    const two = { _tag: "Paste", text: `${messageId}0 ${messageId}1` } as const
    const state = play(loaded(5), pressed("m"), two, pressed("*")).state
    const ids = command(state, "y", "m")
    assert(ids._tag === "Copy")
    assert.strictEqual(ids.text, `${messageId}0\n${messageId}1`)
    const curl = command(state, "y", "c")
    assert(curl._tag === "Copy")
    assert.include(curl.text, "--request POST 'http://signalbox.test/v1/subscribers/u_10000/messages/mark-as'")
    assert.include(curl.text, `{"messageId":["${messageId}0","${messageId}1"],"markAs":"read"}`)
  })
  it("copies the id of an event, and the request that reads it again", () => {
    assert.deepStrictEqual(command(loaded(5), "j", "y", "e"), {
      _tag: "Copy",
      text: event(1)._id ?? "",
      what: "event id"
    })
    const [, load] = play(loaded(5), pressed("j", "enter", "y", "c", "r")).commands
    assert(load?._tag === "LoadEvent")
    const curl = command(loaded(5), "j", "enter", "y", "c")
    assert(curl._tag === "Copy")
    assert.include(curl.text, "?transactionId=txn_0001&subscriberIds=u_10001&limit=50")
  })
  it("copies the view as a command and as cURL", () => {
    const copied = command(loaded(5), "F", "Y")
    assert(copied._tag === "Copy")
    assert.strictEqual(copied.text, "signalbox ui --connection demo --filter 'status:failed'")
    const curl = command(loaded(5), "y", "c")
    assert(curl._tag === "Copy")
    assert.include(curl.text, "/v1/notifications?")
    assert.include(curl.text, "$SIGNALBOX_API_KEY")
  })
  it("exports the view, or the selected events", () => {
    const all = command(loaded(5), "e", "enter")
    assert(all._tag === "ExportEvents")
    assert.strictEqual(all.events.length, 5)
    const marked = command(loaded(5), "space", "e", "enter")
    assert(marked._tag === "ExportEvents")
    assert.strictEqual(marked.events.length, 1)
  })
})
