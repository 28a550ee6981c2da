import * as EventCursor from "@signalbox/core/internal/services/EventCursor"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as ResumeCursor from "./ResumeCursor.ts"

const place = Schema.Struct({ filter: Schema.String, skip: Schema.Natural })

const page = Schema.Struct({
  page: Schema.Natural,
  before: Schema.Literals(["2026-11-23T02:00:28.000Z", "2026-11-23T02:00:28Z", "2026", "1969-01-01T00:00:00.000Z"]),
  filters: Schema.Struct({ limit: Schema.Natural, channels: Schema.optionalKey(Schema.Array(Schema.String)) })
})

describe("ResumeCursor", () => {
  it.effect.prop("is one word that reads back", [place, page], ([start, next]) =>
    Effect.sync(() => {
      for (const cursor of [start, { ...start, page: EventCursor.format(next) }]) {
        const text = ResumeCursor.format(cursor)
        assert.match(text, /^[\w-]+$/u)
        const read: ResumeCursor.ResumeCursor | undefined = ResumeCursor.parse(text)
        assert.deepStrictEqual([read?.filter, read?.skip], [cursor.filter, cursor.skip])
        if ("page" in cursor)
          assert.deepStrictEqual(EventCursor.parse(read?.page ?? ""), EventCursor.parse(cursor.page))
      }
    })
  )

  it("is short enough for a line of a terminal", () => {
    const cursor = EventCursor.format({ page: 3, before: "2026-11-23T02:00:28.000Z", filters: { limit: 50 } })
    assert.isAtMost(ResumeCursor.format({ filter: "", skip: 0, page: cursor }).length, 50)
  })

  it.each(["", "x", "e30", "eyJ2ZXJzaW9uIjoyLCJmaWx0ZXIiOiIiLCJza2lwIjowfQ", "WzIsMCwiIiwieCJd"])(
    "refuses %j",
    (text) => assert.isUndefined(ResumeCursor.parse(text))
  )
})
