import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import { call, event, initial, loaded, page, play, pressed, screen } from "../../../test/Sample.ts"
import type { Msg } from "../../state/Msg.ts"
import type { State } from "../../state/State.ts"
import { readColumns, readSort } from "./EventColumns.ts"
import { visible } from "./EventsScreen.ts"

const size = { columns: 120, rows: 40 }

const typed = (words: string) => pressed(":", ...Array.from(words, (one) => (one === " " ? "space" : one)), "enter")

const listed = (state: State): ReadonlyArray<string | undefined> => {
  const [list] = state.screens
  assert(list?._tag === "Events")
  return visible(list).map(({ subscriber }) => subscriber?.subscriberId)
}

const list = () =>
  play(
    initial(size),
    page([3, 1, 4, 1, 5].map((subscriber, index) => event(index, { subscriber, fails: index === 3 })))
  ).state

const titleRow = (state: State): string => screen(state).find((line) => line.includes("SUBSCR")) ?? ""

describe("the order of the list", () => {
  it.each([
    ["sort subscriber", ["u_10001", "u_10001", "u_10003", "u_10004", "u_10005"]],
    ["sort -subscriber", ["u_10005", "u_10004", "u_10003", "u_10001", "u_10001"]],
    ["sort -time", ["u_10005", "u_10001", "u_10004", "u_10001", "u_10003"]],
    ["sort severity", ["u_10001", "u_10003", "u_10001", "u_10004", "u_10005"]],
    ["sort why", ["u_10001", "u_10003", "u_10001", "u_10004", "u_10005"]],
    ["sort age", ["u_10003", "u_10001", "u_10004", "u_10001", "u_10005"]]
  ])(":%s", (words, expected) => {
    const state = play(list(), typed(words)).state
    assert.deepStrictEqual(listed(state), expected)
    assert.deepStrictEqual(listed(play(state, typed("sort")).state), listed(list()))
  })

  it("keeps the cursor on its event, also when a filter is typed or events arrive", () => {
    const state = play(list(), pressed("j", "j"), typed("sort -subscriber")).state
    const under = (now: State) => screen(now).find((line) => line.startsWith("›")) ?? ""
    assert.include(under(state), "u_10004")
    assert.include(under(play(state, pressed("/", ..."u_1000")).state), "u_10004")
    const arrived: Msg = {
      _tag: "EventsLoaded",
      screenId: 0,
      mode: "tail",
      page: { data: [event(-1, { subscriber: 9 })], hasMore: false, page: 0, pageSize: 50 },
      call
    }
    const shown = play(state, arrived, pressed(".")).state
    assert.strictEqual(listed(shown)[0], "u_10009")
    assert.include(under(shown), "u_10004")
    // A range stays on its events, too.
    const chosen = (now: State) => screen(now).filter((line) => /^[› ]•.*u_1000/u.test(line))
    const ranged = play(list(), typed("sort subscriber"), pressed("j", "V", "j"))
    assert.deepStrictEqual(chosen(play(ranged.state, arrived, pressed(".")).state), chosen(ranged.state))
    assert.lengthOf(chosen(ranged.state), 2)
  })

  it("reads no older page at its end, where older events do not belong", () => {
    const state = loaded(60, size, true)
    assert.isNotEmpty(play(state, pressed("G")).commands)
    assert.isEmpty(play(state, typed("sort subscriber"), pressed("G")).commands)
  })
})

describe("the columns of the list", () => {
  it("are those that are chosen, in their order", () => {
    const state = play(list(), typed("columns subscriber transaction severity")).state
    assert.match(titleRow(state), /^ {2}SUBSCRIBER +TRANSACTION +SEVERITY/u)
    assert.isTrue(screen(state).some((line) => /u_10004 +txn_0002 +none/u.test(line)))
    assert.strictEqual(titleRow(play(state, typed("columns")).state), titleRow(list()))
  })

  it.each([
    [60, /^› 12:40 order-shipped   u_10000 +✓ ok/u, / 12:40 comment-mention u_10002 +✗ 1 slack webhook missing +$/u],
    [80, / STEPS +WHY +AGE/u, /12:40:03 comment-mention u_10002    I✓ C✗  ✗ 1 slack webhook missing +1 min/u]
  ])("have the cells that their values need at %i columns", (columns, first, failed) => {
    const lines = screen(loaded(9, { columns, rows: 24 }))
    for (const line of [first, failed])
      assert.isTrue(
        lines.some((one) => line.test(one)),
        lines.join("\n")
      )
  })

  it("leave out the steps, then the ages, before a name or a reason is cut", () => {
    const long = (columns: number) => {
      const events = [3, 4].map((index) => {
        const one = event(index, { fails: true, name: "Weekly report of overdue invoices" })
        return Object.assign(one, { subscriber: { _id: "s", subscriberId: `tenant-europe-west-1-user-${index}` } })
      })
      return titleRow(play(initial({ columns, rows: 24 }), page(events)).state)
        .trim()
        .split(/ +/u)
    }
    const all = ["UTC", "WORKFLOW", "SUBSCRIBER", "STEPS", "WHY", "AGE"]
    assert.deepStrictEqual(long(80), ["UTC", "WORKFLOW", "SUBSCRIBER", "WHY", "AGE"])
    assert.deepStrictEqual(long(76), ["UTC", "WORKFLOW", "SUBSCRIBER", "WHY"])
    assert.deepStrictEqual(long(100), all)
  })

  it("have no words cut off in the column of times, however narrow", () => {
    const small = play(initial({ columns: 60, rows: 15 }), page([event(1), { ...event(2), createdAt: "never" }])).state
    const text = screen(play(small, typed("tz Asia/Kolkata")).state).join("\n")
    assert.match(text, /^ {2}TIME {2}WORKFLOW/mu)
    assert.match(text, /^ {2}none {2}order-shipped/mu)
    assert.match(screen(play(loaded(1, size), typed("tz Asia/Kolkata")).state).join("\n"), /^ {2}\+05:30 +WORKFLOW/mu)
  })

  it("are dropped where there is no room for them", () => {
    const small = loaded(3, { columns: 60, rows: 15 })
    const state = play(small, typed("columns subscriber why transaction steps severity workflow")).state
    assert.match(titleRow(state), /^ {2}SUBSCR\. +WHY +TRANSACTION +STEPS *$/u)
  })
})

describe("a word that is no column", () => {
  it.each([
    ["sort", "sort subscribr", 'unknown column "subscribr"; did you mean subscriber? Expected one of: time, -time, '],
    ["columns", "columns time x", 'unknown column "x"; expected one of: time, workflow, subscriber, steps, why, age, ']
  ])("is rejected by :%s with what is allowed", (_, words, message) => {
    const { notice } = play(list(), typed(words)).state
    assert.include(notice?.text, message)
  })

  it("is rejected in the configuration file too", () => {
    assert.isTrue(Result.isFailure(readColumns([])))
    assert.isTrue(Result.isFailure(readSort("")))
    assert.deepStrictEqual(Result.getOrThrow(readColumns(["why", "time", "why"])), ["why", "time"])
  })
})
