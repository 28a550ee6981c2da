import { assert, describe, it } from "@effect/vitest"
import { loaded, play, pressed, screen } from "../../test/Sample.ts"
import { actionsAt } from "../app/Actions.ts"
import { keysOf } from "../actions/Action.ts"
import { topScreen } from "../state/ScreenStack.ts"

const small = { columns: 60, rows: 15 }
const usual = { columns: 80, rows: 24 }
const large = { columns: 120, rows: 40 }

describe("the help", () => {
  it("has every action of the screen at 200×60, in two grouped columns", () => {
    const rows = screen(play(loaded(3, { columns: 200, rows: 60 }), pressed("?")).state)
    for (const action of actionsAt("Events")) {
      assert.isTrue(
        rows.some((row) => row.includes(` ${action.id}`) && row.includes(keysOf(action))),
        action.id
      )
    }
    for (const title of ["ON THIS SCREEN", "MOVE", "COPY AND SAVE", "EVERYWHERE"])
      assert.include(rows.join("\n"), title)
    assert.isTrue(rows.some((row) => row.includes("ON THIS SCREEN") && /[│|]/u.test(row)))
  })
  it("moves to its last action and no further, with the chosen action in view at every size", () => {
    for (const size of [small, usual, large]) {
      const opened = play(loaded(3, size), pressed("?")).state
      const end = play(opened, pressed(...Array.from({ length: 40 }, () => "pagedown"))).state
      assert.deepStrictEqual(screen(play(end, pressed("down")).state), screen(end))
      assert.notDeepEqual(screen(play(end, pressed("up")).state), screen(end))
      const last = actionsAt("Events").at(-1)
      assert(last !== undefined)
      assert.include(screen(end).join("\n"), last.id)
      assert.include(screen(end).join("\n").replaceAll(/\s+/gu, " "), last.description.slice(0, 40))
    }
  })
  it("runs the chosen action on enter, and reports why one cannot be run", () => {
    const { state } = play(loaded(3, usual), pressed("?", ..."request log", "enter"))
    assert.strictEqual(topScreen(state)._tag, "Requests")
    const refused = play(loaded(3, usual), pressed("?", ..."unreadable", "enter")).state
    assert.include(screen(refused).join("\n"), "everything could be read")
    const none = play(loaded(3, usual), pressed("?", ..."zzzz")).state
    assert.include(screen(none).join("\n"), "no action of this screen has these words")
    assert.isUndefined(play(none, pressed("enter")).state.overlay)
  })
  it("has the whole field of its search on the smallest terminal", () => {
    for (const keys of [["?"], ["c", "ctrl-x"], ["s", "?"]]) {
      const searched = play(loaded(3, small), pressed(...keys, ..."seen by all of us, end")).state
      assert.match(screen(searched)[1] ?? "", /search: .*end *$/u)
    }
  })
})
