import { assert, describe, it } from "@effect/vitest"
import { isInRange, type Selection, toggleAllSelected, toggleSelected, toggleRange } from "./Selection.ts"

const items = ["a", "b", "c", "d"]

const list = (at: number, chosen: ReadonlyArray<string> = [], anchor?: number): Selection => ({
  cursor: { at, top: 0 },
  selection: new Set(chosen),
  anchor
})

const selected = (of: Selection) => Array.from(of.selection)

describe("marking", () => {
  it("selects the item under the cursor and moves on, and deselects it", () => {
    const once = toggleSelected(list(1), items)
    assert.deepStrictEqual([selected(once), once.cursor.at], [["b"], 2])
    assert.deepStrictEqual(selected(toggleSelected(list(1, ["b"]), items)), [])
  })
  it("marks a range in either direction, never unmarks it, and stays", () => {
    for (const [anchor, at] of [
      [1, 3],
      [3, 1]
    ] as const) {
      const ranged = toggleSelected(list(at, ["b", "c", "d"], anchor), items)
      assert.deepStrictEqual([selected(ranged), ranged.cursor.at, ranged.anchor], [["b", "c", "d"], at, undefined])
    }
  })
  it("shows a range only while one is made", () => {
    const ranged = { ...toggleRange(list(1)), cursor: { at: 2, top: 0 } }
    assert.deepStrictEqual(
      [0, 1, 2, 3].map((at) => isInRange(ranged, at)),
      [false, true, true, false]
    )
    assert.isFalse(isInRange(toggleRange(ranged), 1))
  })
  it("marks all, or none when all are", () => {
    assert.deepStrictEqual(selected(toggleAllSelected(list(0, ["b"]), items)), items)
    assert.deepStrictEqual(selected(toggleAllSelected(list(0, items), items)), [])
  })
  it("does nothing to an empty list", () => {
    assert.deepStrictEqual(toggleSelected(list(0), []), list(0))
  })
})
