import { assert, describe, it } from "@effect/vitest"
import { loaded, play, pressed } from "../../test/Sample.ts"
import { render } from "../app/View.ts"
import type { State } from "../state/State.ts"
import { changedLines, spokenLines } from "./Spoken.ts"

const spoken = (before: State, after: State): ReadonlyArray<string> =>
  changedLines(spokenLines(render(before)), spokenLines(render(after)))

describe("what a screen reader says", () => {
  const list = loaded(9, { columns: 80, rows: 24 })

  it("is everything at first, with the names of the keys", () => {
    const lines = changedLines([], spokenLines(render(list)))
    assert.isTrue(lines.some((line) => line.startsWith("current, order-shipped for u_10000")))
    assert.match(lines.at(-1) ?? "", /^keys: enter open, .*\? help, q quit$/u)
  })
  it("is the row under the cursor and its place after a move, not the list", () => {
    const moved = play(list, pressed("j")).state
    const lines = spoken(list, moved)
    assert.isAtMost(lines.length, 4)
    assert.isTrue(lines.some((line) => line.startsWith("current, order-shipped for u_10001")))
    assert.isFalse(lines.some((line) => line.includes("u_10000")))
    assert.isFalse(lines.some((line) => line.startsWith("keys:")))
  })
  it("is nothing where nothing changed, and the notice of a key that did something", () => {
    assert.deepStrictEqual(spoken(list, list), [])
    const refused = play(list, pressed("U")).state
    assert.deepStrictEqual(
      spoken(list, refused).map((line) => line.replaceAll(/ +/gu, " ")),
      ["unreadable: everything could be read 1/9"]
    )
  })
})
