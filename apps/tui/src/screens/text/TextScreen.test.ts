import { assert, describe, it } from "@effect/vitest"
import { loaded, play, pressed, screen as rows } from "../../../test/Sample.ts"
import { pushScreen, topScreen } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import { render } from "../../app/View.ts"
import { make } from "./TextScreen.ts"

const opened = (text: string, columns = 60): State =>
  pushScreen(loaded(3, { columns, rows: 15 }), (id) => make(id, "raw", text))

const left = (state: State): number => {
  const top = topScreen(state)
  assert(top._tag === "Text")
  return top.left
}

const times = (count: number, key: string) => pressed(...Array.from({ length: count }, () => key))

describe("a long text", () => {
  it("moves sideways to the end of its longest line and no further, so that one key takes one key back", () => {
    const state = opened(`short\n${"abcde".repeat(30)}z`)
    const far = play(state, times(50, "l")).state
    assert.strictEqual(left(far), 151 + 3 - 60)
    assert.isTrue(rows(far)[2]?.endsWith("z"))
    assert.strictEqual(left(play(far, pressed("h")).state), 151 + 3 - 60 - 20)
    assert.strictEqual(left(play(opened("short"), times(5, "l")).state), 0)
  })
  it("shows what is found also where the edge of the window goes through it", () => {
    const found = play(opened(`${"-".repeat(50)}needle${"-".repeat(200)}`), pressed("/", ..."needle", "enter")).state
    const matches = (state: State) =>
      render(state)
        .flatMap(({ spans }) => spans)
        .filter(({ tone }) => tone === "match")
        .map(({ text }) => text)
    assert.deepStrictEqual(matches(found), ["needle"])
    assert.deepStrictEqual(matches(play(found, times(2, "l")).state), ["needle"])
    const top = topScreen(found)
    assert(top._tag === "Text")
    const moved = { ...found, screens: [...found.screens.slice(0, -1), { ...top, left: 53 }] }
    assert.deepStrictEqual(matches(moved), ["dle"])
  })
  it("scrolls sideways to what is found right of the window, and back", () => {
    const state = opened(`needle\n${"y".repeat(300_000)}needle${"z".repeat(50)}`)
    const far = play(state, pressed("j", "/", ..."needle", "enter")).state
    assert.include(rows(far).join("\n"), "yneedlez")
    assert.strictEqual(left(play(far, pressed("n")).state), 0)
    assert.include(rows(play(far, pressed("n", "N")).state).join("\n"), "yneedlez")
  })
  it("finds the next match below and the previous one above", () => {
    const state = opened(Array.from({ length: 40 }, (_, line) => (line % 10 === 5 ? "needle" : "hay")).join("\n"))
    const found = play(state, pressed("/", ..."needle", "enter")).state
    const lineAfter = (...keys: ReadonlyArray<string>) => {
      const top = topScreen(play(found, pressed(...keys)).state)
      assert(top._tag === "Text")
      return top.cursor.at
    }
    assert.deepStrictEqual(
      [lineAfter(), lineAfter("n"), lineAfter("n", "n"), lineAfter("n", "n", "N")],
      [5, 15, 25, 15]
    )
    assert.deepStrictEqual([lineAfter("n", "n", "n", "n"), lineAfter("N")], [5, 35])
  })
  it("finds what is beyond the part that is shown", () => {
    const long = `${"a line of the text\n".repeat(20_000)}the needle\nthe end`
    const state = opened(long)
    const before = topScreen(state)
    assert(before._tag === "Text")
    assert.match(before.lines.at(-1) ?? "", /more characters: searching, saving and the pager/u)
    const none = topScreen(play(state, pressed("/", ..."missing", "enter")).state)
    assert(none._tag === "Text")
    assert.strictEqual(none.lines, before.lines)
    const found = topScreen(play(state, pressed("/", ..."needle", "enter")).state)
    assert(found._tag === "Text")
    assert.strictEqual(found.cursor.at, 20_000)
    assert.strictEqual(found.lines.at(-1), "the end")
  })
  it("reports that a line continues at the right", () => {
    assert.isTrue(rows(opened("x".repeat(200)))[1]?.endsWith("…"))
  })
})
