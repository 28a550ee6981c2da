import { assert, describe, it } from "@effect/vitest"
import { isInRange, type Marking, toggleAllMarked, toggleMarked, toggleRange } from "./Marking.ts"

const items = ["a", "b", "c", "d"]

const list = (at: number, marked: ReadonlyArray<string> = [], anchor?: number): Marking => ({
  cursor: { at, top: 0 },
  marked: new Set(marked),
  anchor
})

const marked = (of: Marking) => Array.from(of.marked)

describe("marking", () => {
  it("marks the item under the cursor and goes on, and unmarks it", () => {
    const once = toggleMarked(list(1), items)
    assert.deepStrictEqual([marked(once), once.cursor.at], [["b"], 2])
    assert.deepStrictEqual(marked(toggleMarked(list(1, ["b"]), items)), [])
  })
  it("marks a range in either direction, never unmarks it, and stays", () => {
    for (const [anchor, at] of [
      [1, 3],
      [3, 1]
    ] as const) {
      const ranged = toggleMarked(list(at, ["b", "c", "d"], anchor), items)
      assert.deepStrictEqual([marked(ranged), ranged.cursor.at, ranged.anchor], [["b", "c", "d"], at, undefined])
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
    assert.deepStrictEqual(marked(toggleAllMarked(list(0, ["b"]), items)), items)
    assert.deepStrictEqual(marked(toggleAllMarked(list(0, items), items)), [])
  })
  it("does nothing to an empty list", () => {
    assert.deepStrictEqual(toggleMarked(list(0), []), list(0))
  })
})
