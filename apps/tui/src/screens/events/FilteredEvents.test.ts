import { assert, describe, it } from "@effect/vitest"
import { type Filter, matches, parse, wholeTest } from "@signalbox/operator/filter/Filter"
import { event, now } from "../../../test/Sample.ts"
import { filtered, rowsBefore } from "./FilteredEvents.ts"
import { joinEvents } from "./LoadedEvents.ts"

const events = Array.from({ length: 200 }, (_, index) => event(index, { fails: index % 4 === 1 }))

const read = (text: string): Filter => {
  const parsed = parse(text)
  assert(parsed._tag === "Parsed")
  return parsed.filter
}

describe("filtered", () => {
  it("has the rows of the filter, whatever was filtered before it", () => {
    const filters = [
      "status:failed",
      "u",
      "u_1",
      "u_10",
      "u_100",
      "u_1",
      "-u_100",
      "status:failed u_100",
      'cause:"webhook"'
    ]
    for (const text of [
      ...filters,
      ...filters.toReversed(),
      "cause:webhook-url-missing",
      "status:failed,ok",
      "zzz",
      "u_1"
    ]) {
      const filter = read(text)
      assert.deepStrictEqual(
        filtered(events, filter),
        events.filter((one) => matches(filter, one)),
        text
      )
      const whole = wholeTest(filter, now)
      assert.deepStrictEqual(
        filtered(events, filter, now),
        events.filter((one) => whole(one)),
        `whole ${text}`
      )
    }
  })

  it("tests what the API would compute only where it is asked to", () => {
    const filter = read("subscriber:u_10001 status:failed")
    assert.lengthOf(filtered(events, filter, now), 1)
    assert.lengthOf(filtered(events, filter), 50)
  })

  it("remembers rows, also of an equal filter that was made anew", () => {
    const rows = filtered(events, read("u_100 status:failed"))
    assert.strictEqual(filtered(events, read("status:failed u_100")), rows)
    assert.notStrictEqual(filtered([...events], read("u_100 status:failed")), rows)
  })

  it("finds words in every event of a list that was read in parts, the first and the last included", () => {
    const parts = [events.slice(0, 1), events.slice(1, 120), events.slice(120, 199), events.slice(199)]
    const joined = parts.slice(1).reduce<ReturnType<typeof joinEvents>>(joinEvents, parts[0] ?? [])
    for (const word of ["u_10000", "u_10001", "u_10119", "u_10120", "u_10199", "txn_", "webhook", "u_10000u_10001"]) {
      const filter = read(word)
      const expected = events.filter((one) => matches(filter, one))
      assert.deepStrictEqual(filtered(joined, filter), expected, word)
    }
  })

  it("lists the events of one cause, of all causes of a rule, and without a cause", () => {
    const other = { ...event(300, { fails: true }), jobs: [] }
    const list = [...events, other]
    for (const text of [
      "cause:webhook-url-missing",
      "cause:webhook-url-missing/chat/slack",
      'cause:"none"',
      "cause:webhook-url-missing u_1"
    ]) {
      const filter = read(text)
      assert.deepStrictEqual(
        filtered(list, filter),
        list.filter((one) => matches(filter, one)),
        text
      )
    }
  })

  it("is the same list where all rows of a wider filter pass", () => {
    const wider = filtered(events, read("status:failed"))
    assert.strictEqual(filtered(events, read("status:failed txn_")), wider)
  })

  it("counts the rows before a place of the list", () => {
    const rows = filtered(events, read("status:failed"))
    for (const [place, expected] of [
      [0, 0],
      [1, 0],
      [2, 1],
      [5, 1],
      [6, 2],
      [200, 50]
    ] as const) {
      assert.strictEqual(rowsBefore(events, rows, place), expected)
    }
  })
})
