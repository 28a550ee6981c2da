import * as EventCursor from "@signalbox/core/internal/services/EventCursor"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ResumeCursor from "./ResumeCursor.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))

const time = Schema.optionalKey(between(-(10 ** 12), 10 ** 15))

const place = Schema.Struct({
  page: between(0, 36 ** 6 - 1),
  skip: between(0, 40),
  pageSize: between(40, 50),
  before: time,
  after: time
})

describe("ResumeCursor", () => {
  it.effect.prop(
    "is one word that reads back for its filter, and for no other",
    [place, Schema.String],
    ([start, filter]) =>
      Effect.sync(() => {
        const text = ResumeCursor.format(start, filter)
        assert.match(text, /^[\w-]+$/u)
        const { after, before, ...numbers } = start
        assert.deepStrictEqual(ResumeCursor.parse(text, filter), { ...numbers, before, after })
        assert.strictEqual(ResumeCursor.parse(text, `${filter} channel:email`), "other filter")
        const page = EventCursor.parse(ResumeCursor.pageCursor(start, { channels: ["email"] }))
        assert.deepStrictEqual(page?.filters.limit, start.pageSize)
        assert.deepStrictEqual(ResumeCursor.periodOf(JSON.stringify({ version: 1, ...page })), { before, after })
      })
  )

  it("is short enough to type", () => {
    const place = { page: 3, skip: 12, pageSize: 50, before: Date.parse("2026-11-23T02:00:28Z") }
    assert.isAtMost(ResumeCursor.format(place, "status:failed channel:email,push workflow:order-shipped").length, 25)
  })

  it.each([
    "",
    "x",
    "e30",
    "1_2_3",
    "1_2_3_0__-",
    "0_0_0_0",
    "0_0_1f_0",
    "0_2_1_0",
    "1_2_3_4_5_6_7",
    "1_2_3_4_zzzzzzzzzzz_"
  ])("refuses %j", (text) => assert.isUndefined(ResumeCursor.parse(text, "")))
})
