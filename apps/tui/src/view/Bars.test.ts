import { assert, describe, it } from "@effect/vitest"
import { glyphs } from "../theme/Glyphs.ts"
import { columnChart, sparkline } from "./Bars.ts"

describe("sparkline", () => {
  it("has the largest count as a full cell and shows the smallest", () => {
    assert.strictEqual(sparkline([0, 1, 100, 50], glyphs.unicode), "▁▂█▄")
    assert.strictEqual(sparkline([0, 0], glyphs.unicode), "▁▁")
    assert.strictEqual(sparkline([0, 1, 100, 50], glyphs.ascii), "_.#-")
  })
})

describe("columnChart", () => {
  it("grows from the bottom row", () => {
    assert.deepStrictEqual(columnChart([0, 1, 4, 8], 2, glyphs.unicode), ["   █", " ▂██"])
  })
  it("draws small counts as small bars", () => {
    assert.deepStrictEqual(columnChart([1, 0, 2], 4, glyphs.unicode), ["   ", "   ", "  █", "█ █"])
  })
  it("shows a single failure among thousands", () => {
    assert.deepStrictEqual(columnChart([1, 5000], 3, glyphs.unicode), [" █", " █", "▁█"])
  })
})
