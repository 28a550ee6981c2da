import { assert, describe, it } from "@effect/vitest"
import { loaded, play, pressed } from "../../test/Sample.ts"
import { render } from "../app/View.ts"
import { topScreen } from "../state/ScreenStack.ts"
import type { State } from "../state/State.ts"
import { nothingSpoken, speak } from "./Spoken.ts"

/** The spoken text of the last of some states that are shown one after another. */
const saidOf = (...states: ReadonlyArray<State>): ReadonlyArray<string> => {
  let spoken = nothingSpoken
  let said: ReadonlyArray<string> = []
  for (const state of states)
    ({ said, spoken } = speak(spoken, {
      place: state.overlay?._tag ?? String(topScreen(state).id),
      screen: topScreen(state).id,
      rows: render(state)
    }))
  return said.map((line) => line.replaceAll(/ +/gu, " "))
}

describe("what a screen reader says", () => {
  const list = loaded(40, { columns: 80, rows: 24 })
  const after = (...keys: ReadonlyArray<string>) => play(list, pressed(...keys)).state

  it("is everything at first, with the names of the keys and the causes in words", () => {
    const lines = saidOf(list)
    assert.isTrue(lines.some((line) => line.startsWith("current, order-shipped for u_10000")))
    assert.isTrue(lines.some((line) => line.startsWith("order-shipped for u_10001")))
    assert.include(lines, "1 cause; 1: 8 times slack webhook missing, 1 c fixes 8")
    assert.match(lines.at(-1) ?? "", /^keys: enter open, .*\? help, q quit$/u)
  })
  it("is the row under the cursor and its place after a move, not the list", () => {
    for (const keys of [["j"], ["ctrl-d"], ["G"]]) {
      const lines = saidOf(list, after(...keys))
      assert.isAtMost(lines.length, 4)
      assert.lengthOf(
        lines.filter((line) => /order-shipped|comment-mention/u.test(line)),
        1
      )
      assert.match(lines[0] ?? "", /^current, /u)
    }
    // The footer says something else of each row; aloud, the names of the keys stay.
    assert.isFalse(saidOf(list, after("j"), after("j", "j")).some((line) => line.startsWith("keys:")))
  })
  it("is how many rows a filter leaves and the row under the cursor, not the rows that move up", () => {
    const lines = saidOf(list, after("F"))
    assert.match(lines[0] ?? "", /^status:failed 8 of 40 loaded/u)
    assert.deepStrictEqual(
      lines.filter((line) => / for u_\d+ at /u.test(line)).map((line) => line.slice(0, 27)),
      ["current, comment-mention fo"]
    )
  })
  it("is the title and the row under the cursor of a screen that comes back", () => {
    for (const keys of [["enter"], ["?"], [":"], ["p"], ["c"]]) {
      const lines = saidOf(list, after(...keys), after(...keys, "escape"))
      assert.match(lines[0] ?? "", /^SIGNALBOX \[DEMO\] Events/u)
      assert.match(lines[1] ?? "", /^current, order-shipped for u_10000/u)
      assert.isAtMost(lines.length, 3, lines.join("\n"))
    }
  })
  it("is the whole text of the chosen action of the palette", () => {
    const lines = saidOf(list, after(":"))
    assert.include(lines, "current, open event, enter, l, right")
    assert.include(lines, "Open the event: its jobs, execution details, cause and next step.")
  })
  it("is the row under the cursor of every list, with a word for the cursor and another for the selection", () => {
    const ids = { _tag: "Paste", text: "65f0a1b2c3d4e5f6a7b8c001 65f0a1b2c3d4e5f6a7b8c002" } as const
    const messages = play(after("m"), ids).state
    const lines = saidOf(messages, play(messages, pressed("space")).state)
    assert.match(lines.join("\n"), /1 selected/u)
    assert.match(
      saidOf(play(messages, pressed("space", "k")).state).join("\n"),
      /^current, selected, 65f0a1b2c3d4e5f6a7b8c001/mu
    )
    assert.match(lines.join("\n"), /^current, 65f0a1b2c3d4e5f6a7b8c002/mu)
    assert.match(saidOf(after("j", "j", "s")).join("\n"), /^current, slack webhook missing at .*, comment-mention$/mu)
  })
  it("does not say both of two columns when one of them has changed", () => {
    const wide = loaded(40, { columns: 200, rows: 60 })
    const lines = saidOf(wide, play(wide, pressed("j")).state)
    assert.lengthOf(
      lines.filter((line) => /(?:order-shipped|comment-mention) for/u.test(line)),
      1
    )
  })
  it("is every line of a new screen, also those that the screen before has in the same words", () => {
    const lines = saidOf(after("j", "j"), after("j", "j", "enter"))
    const at = lines.findIndex((line) => line.startsWith("WHY The subscriber has no webhook URL"))
    assert.strictEqual(lines[at + 1], "nowhere to send the message.")
  })
  it("is nothing where nothing changed, and the notice of a key that did something", () => {
    assert.deepStrictEqual(saidOf(list, list), [])
    assert.deepStrictEqual(saidOf(list, after("U")), ["unreadable parts: everything could be read 1/40"])
  })
})
