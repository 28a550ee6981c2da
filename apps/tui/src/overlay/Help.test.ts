import { assert, describe, it } from "@effect/vitest"
import { loaded, play, pressed, screen } from "../../test/Sample.ts"

const small = { columns: 60, rows: 15 }

describe("the help", () => {
  it("scrolls to its end and no further, so that one key takes one key back", () => {
    const opened = play(loaded(3, small), pressed("?")).state
    const end = play(opened, pressed(...Array.from({ length: 40 }, () => "pagedown"))).state
    const before = play(end, pressed("up")).state
    assert.notDeepEqual(screen(before), screen(end))
    assert.deepStrictEqual(screen(play(before, pressed("down")).state), screen(end))
    assert.deepStrictEqual(screen(play(end, pressed("down")).state), screen(end))
  })
  it("has the whole field of its search on the smallest terminal", () => {
    for (const keys of [["?"], ["c", "ctrl-x"], ["s", "?"]]) {
      const searched = play(loaded(3, small), pressed(...keys, ..."seen by all of us, end")).state
      assert.match(screen(searched)[1] ?? "", /search: .*end *$/u)
    }
  })
})
