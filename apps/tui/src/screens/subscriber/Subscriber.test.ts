import { assert, describe, it } from "@effect/vitest"
import { event, initial, page, play, pressed, screen } from "../../../test/Sample.ts"
import { topScreen } from "../../state/ScreenStack.ts"

const ana = { subscriberId: "u_1", _id: "internal" }
const events = Array.from({ length: 30 }, (_, index) => ({ ...event(index), subscriber: ana }))

const opened = (size = { columns: 80, rows: 24 }) => play(initial(size), page(events), pressed("s")).state

describe("the events of a subscriber", () => {
  it("can be selected and opened with the keys of every list", () => {
    for (const key of ["enter", "l"]) {
      const { state } = play(opened(), pressed("j", "j", key))
      const top = topScreen(state)
      assert(top._tag === "Event")
      assert.strictEqual(top.event, events[2])
      assert.strictEqual(topScreen(play(state, pressed("escape")).state)._tag, "Subscriber")
    }
  })
  it("keep the one under the cursor in view, also on the smallest terminal", () => {
    for (const size of [
      { columns: 60, rows: 15 },
      { columns: 120, rows: 40 }
    ]) {
      const last = play(opened(size), pressed("G")).state
      const rows = screen(last)
      assert.isTrue(
        rows.some((row) => row.startsWith("›")),
        rows.join("\n")
      )
      const top = topScreen(play(last, pressed("enter")).state)
      assert(top._tag === "Event")
      assert.strictEqual(top.event, events[29])
    }
  })
})
