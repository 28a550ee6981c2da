import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { loaded, play, pressed, screen } from "../../test/Sample.ts"
import { actionsAt } from "../app/Actions.ts"
import { keyLabel } from "../actions/Action.ts"
import { found } from "./Palette.ts"

const state = loaded(12)

const ids = (typed: string) => found(state, typed).map(({ action }) => action.id)

describe("found", () => {
  it("offers every action of the place but itself", () => {
    const offered = actionsAt("Events")
      .map(({ id }) => id)
      .filter((id) => id !== "command palette")
    assert.sameMembers([...ids("")], offered)
  })

  it("finds each action by its name and by each of its keys", () => {
    for (const { id, keys } of actionsAt("Events").filter((action) => action.id !== "command palette")) {
      assert.include(ids(id), id)
      for (const key of keys) assert.include(ids(keyLabel(key)), id, `by ${keyLabel(key)}`)
    }
  })

  it("puts the key before the name, the name before the description", () => {
    assert.strictEqual(ids("F")[0], "only failures")
    assert.strictEqual(ids("refresh")[0], "refresh")
    const byDescription = ids("computed among")
    assert.include(byDescription, "only failures")
  })

  it("runs no action that has the typed word in its description alone, until it is chosen", () => {
    const typed = play(state, pressed("C", ":", ..."colours")).state
    const [first] = found({ ...typed, overlay: undefined }, "colours")
    assert.notInclude(first?.action.id, "colours")
    const entered = play(typed, pressed("enter")).state
    assert.strictEqual(entered.notice?.text, "no action here has this name; tab takes theme")
    assert.strictEqual(entered.overlay?._tag, "Palette")
    assert.isUndefined(play(entered, pressed("tab", "enter")).state.overlay)
  })

  it("finds letters in order, as one types in a hurry", () => {
    assert.include(ids("drplst"), "drop last filter")
    assert.deepStrictEqual(ids("qzxqzx"), [])
  })

  it("reads the rest of the line as the argument of a word", () => {
    const [choice] = found(state, "filter after:24h status:failed")
    assert.strictEqual(choice?.action.id, "filter")
    assert.strictEqual(choice?.argument, "after:24h status:failed")
  })

  it("offers the choices of an argument that begin as typed", () => {
    const choices = found(state, "connect st")
    assert.deepStrictEqual(
      choices
        .filter(({ action }) => action.word === "connect")
        .map(({ argument, completion }) => [argument, completion]),
      [["staging", "connect staging"]]
    )
    const all = found(state, "connect ").filter(({ action }) => action.word === "connect")
    assert.deepStrictEqual(
      all.map(({ argument }) => argument),
      ["demo", "staging"]
    )
  })

  it("names each saved view with its own key and its filter, and no key where no view is saved", () => {
    const views = [
      { name: "failed today", filter: "status:failed after:24h" },
      { name: "slack", filter: "cause:webhook-url-missing/chat/slack" }
    ]
    const saved = { ...state, connection: { ...state.connection, views } }
    const lines = (typed: string) =>
      found(saved, typed)
        .filter(({ action }) => action.id === "saved view")
        .map(({ argument, description, keys }) => [argument, keys, description])
    const both = [
      ["failed today", "g1", "status:failed after:24h"],
      ["slack", "g2", "cause:webhook-url-missing/chat/slack"]
    ]
    assert.deepStrictEqual(lines("view "), both)
    assert.deepStrictEqual(lines("view"), both)
    assert.deepStrictEqual(lines("view sl"), both.slice(1))
    assert.deepStrictEqual(lines("slack"), both.slice(1))
    assert.deepStrictEqual(lines("g1"), both.slice(0, 1))
    assert.strictEqual(found(state, "view")[0]?.keys, ":view")
  })

  it("reports in full why the chosen action cannot be run now, where its row is too short for that", () => {
    const rows = screen(play(state, pressed(":", ..."saved view")).state)
      .join(" ")
      .replaceAll(/\s+/gu, " ")
    assert.include(rows, 'Not now: no view is saved: write NAME = "FILTER" below [views] in config.toml.')
  })

  it("keeps of a paste what a line can use, and reports it: a megabyte of filter would take half a minute", () => {
    for (const key of [":", "/", "?"]) {
      const { overlay, notice } = play(state, pressed(key), { _tag: "Paste", text: "word ".repeat(200_000) }).state
      assert(overlay !== undefined)
      const field = overlay._tag === "Help" ? overlay.search : overlay.field
      assert.lengthOf(field.graphemes, 10_000)
      assert.include(notice?.text, "only the first 10000 characters were pasted")
    }
    const ids = Array.from({ length: 5_000 }, (_, index) => index.toString(16).padStart(24, "0")).join(" ")
    const listed = play(state, pressed("m", "i"), { _tag: "Paste", text: ids }, pressed("enter")).state
    assert.strictEqual(listed.facts.messages.size, 5_000)
  })

  it.effect.prop("accepts any text, and completes to a word that finds the same action", [Schema.String], ([typed]) =>
    Effect.sync(() => {
      for (const { action, completion } of found(state, typed)) {
        assert.include(ids(completion), action.id)
      }
    })
  )
})
