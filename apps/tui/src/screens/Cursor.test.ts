import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { settle, start } from "./Cursor.ts"

const Size = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 120 }))
const Place = Schema.Int.check(Schema.isBetween({ minimum: -3, maximum: 130 }))

describe("settle", () => {
  it.effect.prop(
    "keeps the cursor in the list and in the window, and the window full",
    [Place, Place, Size, Size],
    ([at, top, length, height]) =>
      Effect.sync(() => {
        const settled = settle({ at, top }, length, height)
        const rows = Math.max(1, height)
        assert.isAtLeast(settled.at, 0)
        assert.isAtMost(settled.at, Math.max(0, length - 1))
        assert.isAtMost(settled.top, settled.at)
        assert.isAbove(settled.top + rows, settled.at)
        assert.isAtMost(settled.top, Math.max(0, length - rows))
        assert.strictEqual(settle(settled, length, height), settled)
      })
  )

  it("moves the window no further than it must", () => {
    assert.deepStrictEqual(settle({ at: 5, top: 3 }, 100, 10), { at: 5, top: 3 })
    assert.deepStrictEqual(settle({ at: 13, top: 3 }, 100, 10), { at: 13, top: 4 })
    assert.deepStrictEqual(settle({ at: 2, top: 3 }, 100, 10), { at: 2, top: 2 })
    assert.deepStrictEqual(settle({ at: 99, top: 95 }, 100, 10), { at: 99, top: 90 })
    assert.deepStrictEqual(settle({ at: 50, top: 45 }, 20, 10), { at: 19, top: 10 })
    assert.strictEqual(settle(start, 0, 10), start)
  })
})
