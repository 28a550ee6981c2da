import { makeUnreadable } from "@signalbox/core/Drift"
import { assert, describe, it } from "@effect/vitest"
import { call, event, initial, loaded, now, page, play, pressed, screen, toLine } from "../../../test/Sample.ts"
import { restored } from "@signalbox/operator/reading/Restored"
import { format, parse } from "@signalbox/operator/filter/Filter"
import type { Msg } from "../../state/Msg.ts"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import { topScreen } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import { update } from "../../app/Update.ts"
import { current, make, visible } from "./EventsScreen.ts"

const cursorAt = (state: State): number => {
  const top = topScreen(state)
  return "cursor" in top ? top.cursor.at : -1
}

const events = (state: State) => {
  const [first] = state.screens
  assert(first?._tag === "Events")
  return first
}

const topEvent = (state: State) => current(events(state))?.subscriber?.subscriberId

const problem: Problem = { summary: "events.list: no response", advice: "Check the network.", fields: [], at: now }

const pageOf = (mode: "more" | "refresh", list: ReturnType<typeof event>[], hasMore = false): Msg => ({
  _tag: "EventsLoaded",
  screenId: 0,
  mode,
  page: { data: list, hasMore, page: mode === "more" ? 1 : 0, pageSize: 50 },
  call
})

describe("the days of a list", () => {
  const days = (count: number, each: number) =>
    Array.from({ length: count * each }, (_, index) => ({
      ...event(index),
      createdAt: new Date(now - Math.floor(index / each) * 86_400_000 - (index % each) * 1000).toISOString()
    }))
  const separators = (state: State) => screen(state).filter((line) => /^─ \d+ Nov ─/u.test(line)).length
  it("part the rows, unless they would take more than a quarter of them: then each row has its date", () => {
    const few = play(initial(), page(days(4, 5))).state
    assert.isAbove(separators(few), 0)
    const many = play(initial(), page(days(13, 1))).state
    assert.strictEqual(separators(many), 0)
    assert.isTrue(screen(many).some((line) => line.startsWith("  20 Nov 12:41 order-shipped")))
  })
})

describe("the list of events", () => {
  it("requests the next page near the end, once, with the pin", () => {
    const { commands } = play(loaded(20, undefined, true), pressed("G"), pressed("k"), pressed("j"))
    assert.strictEqual(commands.length, 1)
    const [command] = commands
    assert(command?._tag === "LoadEvents")
    assert.strictEqual(command.mode, "more")
    assert.strictEqual(command.page, 1)
    assert.strictEqual(command.filters.before, new Date(Date.parse(event(0).createdAt ?? "") + 1).toISOString())
  })
  it("drops records that a page repeats", () => {
    const state = play(loaded(5, undefined, true), pressed("G"), pageOf("more", [event(4), event(5)])).state
    assert.strictEqual(events(state).events.length, 6)
  })
  it("lets new events wait and does not move the cursor", () => {
    const before = play(loaded(10), pressed("j", "j", "r")).state
    const fresh = { ...event(99), createdAt: new Date(now).toISOString() }
    const after = play(before, pageOf("refresh", [fresh, event(0)])).state
    assert.strictEqual(events(after).events.length, 10)
    assert.include(screen(after)[0], "+1 new, press .")
    const shown = play(after, pressed(".")).state
    assert.strictEqual(events(shown).events.length, 11)
    assert.strictEqual(cursorAt(shown), 3)
  })
  it("renews an event in place when a refresh brings it again", () => {
    const again = { ...event(1, { fails: true }) }
    const state = play(loaded(3), pressed("r"), pageOf("refresh", [event(0), again])).state
    assert.isTrue(screen(state).some((line) => /u_10001 .*✗ 1 slack webhook missing|u_10001 .*✗ 1 /u.test(line)))
  })
  it("starts anew when more arrived than one page holds", () => {
    const fresh = Array.from({ length: 50 }, (_, index) => event(index + 500))
    const state = play(loaded(3), pressed("r"), pageOf("refresh", fresh, true)).state
    const { commands } = play(state, pressed("."))
    assert.strictEqual(commands[0]?._tag, "LoadEvents")
  })
  it("keeps data, place and filter when the network fails, and tries again on r", () => {
    const failed: Msg = { _tag: "EventsFailed", screenId: 0, mode: "refresh", problem }
    const state = play(loaded(10), pressed("j", "j", "r"), failed).state
    assert.strictEqual(events(state).events.length, 10)
    assert.strictEqual(cursorAt(state), 2)
    assert.include(screen(state).at(-2), "r tries again now")
    assert.isTrue(screen(state).some((line) => line.includes("events.list: no response")))
    assert.isTrue(screen(state).some((line) => line.includes("Check the network.")))
    assert.strictEqual(play(state, pressed("r")).commands[0]?._tag, "LoadEvents")
  })
  it("reads the older page again on r when that was what failed, and is as fresh as its newest events", () => {
    const older = play(loaded(20, undefined, true), pressed("G"))
    const lost: Msg = { _tag: "EventsFailed", screenId: 0, mode: "more", problem }
    const again = play(older.state, lost, pressed("r"))
    const [command] = again.commands
    assert(command?._tag === "LoadEvents")
    assert.deepStrictEqual([command.mode, command.page], ["more", 1])
    const later = update(again.state, pageOf("more", [event(20)]), now + 60_000).state
    assert.strictEqual(events(later).events.length, 21)
    assert.include(screen(later)[0], "as of 12:41:07Z")
    assert.strictEqual(play(later, pressed("r")).commands[0]?._tag, "LoadEvents")
  })
  it("marks single events, a range and all of them", () => {
    const single = play(loaded(10), pressed("space", "space")).state
    assert.strictEqual(events(single).selection.size, 2)
    const range = play(loaded(10), pressed("V", "j", "j", "j", "space")).state
    assert.strictEqual(events(range).selection.size, 4)
    assert.strictEqual(events(play(range, pressed("*")).state).selection.size, 10)
    assert.strictEqual(events(play(range, pressed("*", "*")).state).selection.size, 0)
  })
})

describe("the list of one subscriber's events", () => {
  const opened = play(loaded(10), pressed("j", "j", "s", "E")).state
  it("goes back to the subscriber on escape, and the first list stays where it is", () => {
    assert.strictEqual(topScreen(opened)._tag, "Events")
    assert.include(screen(opened).at(-1), "esc back")
    const back = play(opened, pressed("escape")).state
    assert.strictEqual(topScreen(back)._tag, "Subscriber")
    const first = play(back, pressed("escape", "escape", "escape")).state
    assert.strictEqual(first.screens.length, 1)
    assert.strictEqual(cursorAt(first), 2)
    assert.notInclude(screen(first).at(-1), "esc back")
  })
  it("requests exactly that subscriber, whatever characters the id has", () => {
    for (const subscriberId of ["a b", "a,b", 'say "hi"', "acme:ops/7", "x -status:ok", "-u", "\\", "\u001B[31m"]) {
      const person = { ...event(1), subscriber: { subscriberId, _id: "i" } }
      const { commands, state } = play(initial(), page([person]), pressed("s", "E"))
      const [command] = commands
      assert(command?._tag === "LoadEvents")
      assert.deepStrictEqual(command.filters.subscriberIds, [subscriberId])
      const list = topScreen(state)
      assert(list._tag === "Events")
      assert.deepStrictEqual(parse(format(list.filter)), { _tag: "Parsed", filter: list.filter })
    }
  })
})

describe("parts that could not be read", () => {
  const parts = [makeUnreadable("data[1].jobs", "Expected array", { webhookUrl: "https://hooks.example.test/T0" })]
  const answer = (mode: "first" | "more" | "refresh" | "window", unreadable: typeof parts): Msg => ({
    _tag: "EventsLoaded",
    screenId: 0,
    mode,
    page: {
      data: restored([event(0), { ...event(mode === "more" ? 2 : 1), jobs: [] }], unreadable),
      hasMore: true,
      page: 0,
      pageSize: 50
    },
    call: { ...call, unreadable }
  })
  const state = play(initial(), answer("first", parts)).state
  it("are counted on the list as long as it shows the page, and not said again at every refresh", () => {
    assert.include(state.notice?.text, "1 part of the response could not be read")
    const moved = play(state, pressed("j")).state
    assert.include(screen(moved)[1], "1 unreadable, U shows")
    const again = play(moved, pressed("r"), answer("refresh", parts)).state
    assert.include(screen(again)[1], "1 unreadable, U shows")
    assert.isUndefined(again.notice)
    assert.include(screen(play(again, pressed("G"), answer("more", parts)).state)[1], "2 unreadable")
    const refreshed = screen(play(again, pressed("r"), answer("refresh", [])).state)
    assert.notInclude(refreshed.join("\n"), "unreadable")
  })
  it("are shown by U: each reason once, what was expected and what came, without secrets", () => {
    const shown = screen(play(state, pressed("U")).state).join("\n")
    assert.include(shown, "1 part: jobs: Expected array")
    assert.include(shown, "first at data[1].jobs")
    assert.include(shown, "<redacted>")
    assert.notInclude(shown, "hooks.example.test")
  })
  it("are counted once where a window has the same events", () => {
    const shown = screen(play(state, pressed("w"), answer("window", parts), pressed("U")).state).join("\n")
    assert.include(shown, "1 part: jobs: Expected array")
  })
  it("are named instead of no failure: in the row, the band, the counts and the histogram", () => {
    const large = play(initial({ columns: 120, rows: 40 }), answer("first", parts), pressed("j")).state
    const shown = screen(large).join("\n")
    assert.match(shown, /\? unreadable/u)
    assert.match(shown, /1 of 2 events could not be read: whether it failed is\s+unknown; U shows why/u)
    assert.include(shown, "0 failed of 1 readable")
    assert.include(shown, "0 FAILURES, ? 1 UNKNOWN")
    assert.match(shown, /WHY +a part of this event could not be read/u)
    assert.notInclude(shown, "no failure among")
  })
  it("are not counted as unreadable events where everything that a result needs could be read", () => {
    const rest = [makeUnreadable("data[1].payload", "Expected object", 7)]
    const shown = screen(play(initial(), answer("first", rest), pressed("j")).state)
    assert.include(shown[1], "1 part left out, U shows")
  })
  it("leave room for filter and counts on a small terminal", () => {
    const small = play(initial({ columns: 60, rows: 15 }), answer("first", parts)).state
    assert.match(screen(small)[1] ?? "", /^ no filter +1 unreadable, U shows {2}0 failed of 1 readable $/u)
  })
})

describe("selected events", () => {
  it("are counted only if they are listed: copies and exports leave out the others", () => {
    const hidden = play(loaded(10), pressed("space", "space", "F"), page([event(2, { fails: true })])).state
    assert.include(screen(hidden).at(-2), "2 selected, not listed  1/1")
    const some = play(hidden, pressed("space")).state
    assert.include(screen(some).at(-2), "1 selected, 2 not listed  1/1")
  })
  it("of a range start at the same event when new events appear above it", () => {
    const fresh = { ...event(99), createdAt: new Date(now).toISOString() }
    const ranging = play(loaded(10), pressed("j", "j", "V", "j", "r"), pageOf("refresh", [fresh, event(0)])).state
    const marked = play(ranging, pressed(".", "space")).state
    assert.deepStrictEqual(Array.from(events(marked).selection), [event(2)._id, event(3)._id])
  })
  it("of a range are cleared when the list reloads from the start", () => {
    const fresh = Array.from({ length: 50 }, (_, index) => event(index + 500))
    const ranging = play(loaded(10), pressed("V", "j", "r"), pageOf("refresh", fresh, true), pressed("."), page(fresh))
    assert.isUndefined(events(ranging.state).anchor)
  })
})

describe("events without an id", () => {
  it("are distinguished by their subscribers: a topic creates one event per subscriber in one transaction", () => {
    const { _id: _, ...one } = event(0)
    const topic = ["a", "b", "c"].map((person) => Object.assign({}, one, { _subscriberId: person }))
    const state = play(initial(), page(topic.slice(0, 1), true), pressed("j"), pageOf("more", topic)).state
    assert.strictEqual(events(state).events.length, 3)
    assert.strictEqual(events(play(state, pressed("space")).state).selection.size, 1)
    assert.include(screen(play(state, pressed("space")).state).at(-2), "1 selected")
  })
})

describe("escape on a list", () => {
  it("ends a range before it leaves", () => {
    const answer: Msg = {
      _tag: "EventsLoaded",
      screenId: 2,
      mode: "first",
      page: { data: [event(0), event(1)], hasMore: false, page: 0, pageSize: 50 },
      call
    }
    const range = play(loaded(10), pressed("s", "E"), answer, pressed("V", "j", "escape")).state
    assert.strictEqual(range.screens.length, 3)
    assert.isUndefined(events({ ...range, screens: range.screens.slice(-1) }).anchor)
    assert.strictEqual(play(range, pressed("escape")).state.screens.length, 2)
  })
  it("ends a search further back", () => {
    const searching = play(initial(), pressed("F"), page([event(0)], true), pressed("B", "escape")).state
    const after = play(searching, pageOf("more", [event(1)], true))
    assert.strictEqual(after.commands.length, 0)
  })
})

describe("reading by itself", () => {
  const rare = parse("workflow:comment-mention")
  assert(rare._tag === "Parsed")
  const pageFull = (number: number) => Array.from({ length: 50 }, (_, index) => event(number * 50 + index))
  const filtered: State = { ...initial(), screens: [make(0, rare.filter)] }
  const first = page([event(500, { fails: true }), ...pageFull(0)], true)

  it("sends no request for a filter that is computed here: only B does", () => {
    const begin = play(filtered, first)
    assert.deepStrictEqual(begin.commands, [])
    assert.include(screen(begin.state)[1], "1 of 51 loaded, B searches further back")
    assert.deepStrictEqual(play(begin.state, pressed("j", "G")).commands, [])
    const asked = play(begin.state, pressed("B"))
    assert.strictEqual(asked.commands.length, 1)
  })
  it("does not ask again when a page brought nothing new", () => {
    const asked = play(initial({ columns: 200, rows: 60 }), page(pageFull(0), true), pressed("G"))
    assert.strictEqual(asked.commands.length, 1)
    const again = play(asked.state, pageOf("more", pageFull(0), true), { _tag: "TaskEnded", id: 1 }, { _tag: "Tick" })
    assert.deepStrictEqual(again.commands, [])
  })
  it("fills a screen that is taller than a page", () => {
    const { commands } = play(initial({ columns: 80, rows: 150 }), page(pageFull(0), true))
    assert.strictEqual(commands.length, 1)
  })
  it("refreshes at the interval also while the list is empty", () => {
    const failed: Msg = { _tag: "EventsFailed", screenId: 0, mode: "first", problem }
    for (const before of [play(initial(), page([])).state, play(initial(), failed).state]) {
      const [command] = play(before, pressed("t"), { _tag: "RefreshDue" }).commands
      assert(command?._tag === "LoadEvents")
      assert.strictEqual(command.mode, "first")
    }
  })
})

describe("filtering", () => {
  it("hides and shows rows without asking the service, and keeps the event under the cursor", () => {
    const list = play(loaded(60), toLine(7)).state
    assert.strictEqual(topEvent(list), "u_10007")
    for (const keys of [["F"], ["/", ..."status:failed", "enter"], ["/", ..."mention", "enter"]]) {
      const { commands, state } = play(list, pressed(...keys))
      assert.deepStrictEqual(commands, [])
      assert.strictEqual(topEvent(state), "u_10007")
      assert.strictEqual(visible(events(state)).length, 12)
      const back = play(state, pressed("X"))
      assert.deepStrictEqual(back.commands, [])
      assert.strictEqual(topEvent(back.state), "u_10007")
      assert.strictEqual(visible(events(back.state)).length, 60)
    }
    // A hidden event is replaced by the next older one that is left.
    assert.strictEqual(topEvent(play(list, pressed("j", "F")).state), "u_10012")
  })
  it("hides nothing for a key without its value, and for the start of a key that no event contains", () => {
    const state = loaded(10)
    const rows = (typed: string) => {
      const top = topScreen(play(state, pressed("/", ...typed)).state)
      assert(top._tag === "Events")
      return visible(top).length
    }
    for (const typed of ["c", "caus", "cause:", "status", "status:", "status:fai"])
      assert.strictEqual(rows(typed), 10, typed)
    assert.strictEqual(rows("status:failed"), 2)
    assert.strictEqual(rows("status:failed cau"), 2)
    // A word that no event contains is an answer, too.
    assert.strictEqual(rows("zebra"), 0)
    assert.strictEqual(rows("order"), 8)
  })

  it("narrows the list while a filter is typed, and restores it on escape", () => {
    const typing = play(loaded(60), pressed("/", ..."u_1000"))
    assert.deepStrictEqual(typing.commands, [])
    assert.strictEqual(visible(events(typing.state)).length, 10)
    const remote = play(typing.state, pressed("ctrl-u", ..."channel:sms"))
    assert.deepStrictEqual(remote.commands, [])
    assert.strictEqual(visible(events(remote.state)).length, 0)
    assert.strictEqual(visible(events(play(remote.state, pressed("escape")).state)).length, 60)
    const asked = play(remote.state, pressed("enter"))
    assert.strictEqual(asked.commands[0]?._tag, "LoadEvents")
  })
  it("filters by what the API lacks among the loaded events, and reports it", () => {
    const state = play(loaded(20), pressed("F")).state
    const again = play(
      state,
      page(
        Array.from({ length: 20 }, (_, at) => event(at, { fails: at % 5 === 2 })),
        true
      )
    ).state
    assert.strictEqual(visible(events(again)).length, 4)
    assert.include(screen(again)[1], "4 of 20 loaded, B searches further back")
  })
  it("searches further back page by page until enough match", () => {
    const parsed = parse("status:failed")
    assert(parsed._tag === "Parsed")
    const begin = play(initial(), pressed("F"), page([event(0), event(1)], true), pressed("B"))
    assert.strictEqual(begin.commands.filter(({ _tag }) => _tag === "LoadEvents").length, 2)
    const found = Array.from({ length: 12 }, (_, at) => event(at + 10, { fails: true }))
    const done = play(begin.state, pageOf("more", found, true))
    assert.include(done.state.notice?.text, "12 match among 14 loaded")
    assert.strictEqual(done.commands.length, 0)
  })
  it("completes keys and values with tab", () => {
    const state = play(loaded(3), pressed("/", ..."sta", "tab", ..."fa", "tab", ..."wor", "tab", ..."ord", "tab")).state
    assert(state.overlay?._tag === "Prompt")
    assert.strictEqual(state.overlay.field.graphemes.join(""), "status:failed workflow:order-shipped ")
  })
  it("explains a filter that it does not understand and keeps it for correction", () => {
    const state = play(loaded(3), pressed("/", ..."foo:bar", "enter")).state
    assert(state.overlay?._tag === "Prompt")
    assert.isDefined(state.overlay.problem)
    assert.strictEqual(play(state, pressed("escape")).state.overlay, undefined)
  })
})

describe("a filter under edit", () => {
  const typing = (text: string) => screen(play(loaded(10), pressed("/", ...text)).state).join("\n")
  it("reports a mistake before enter, but not while the word at the cursor may become right", () => {
    assert.include(typing("severity:hgih "), 'column 10: "hgih" is not a known severity')
    assert.include(typing("foo:bar"), 'column 1: unknown key "foo"')
    assert.include(typing('status:ok "unc'), "column 11: the quote is not closed")
    assert.include(typing("severity:hgih"), 'column 10: "hgih" is not a known severity')
    for (const text of ["sev", "severity:", "severity:hi", "after:2"]) assert.notInclude(typing(text), "column")
  })
  it("finds a value of the payload", () => {
    const found = play(loaded(10), pressed("/", ..."A-7", "enter")).state
    assert.deepStrictEqual(
      visible(events(found)).map(({ payload }) => payload?.["orderId"]),
      ["A-7"]
    )
    const field = play(loaded(10), pressed("/", ..."payload.orderId:A-3", "enter")).state
    assert.strictEqual(visible(events(field)).length, 1)
  })
})

describe("the dashboard", () => {
  const withDashboard = (dashboardUrl: string): State => {
    const state = loaded(3)
    return { ...state, connection: { ...state.connection, dashboardUrl } }
  }
  it("opens at the event under the cursor", () => {
    const { commands } = play(withDashboard("https://dash.test/e/{id}?txn={transactionId}"), pressed("j", "o"))
    const url = `https://dash.test/e/${event(1)._id}?txn=txn_0001`
    assert.deepStrictEqual(commands, [{ _tag: "OpenUrl", url }])
  })
  it("reports where to set its address, and that an event has no id", () => {
    assert.include(screen(play(loaded(3), pressed("o")).state).join("\n"), "set dashboardUrl")
    const { _id, ...nameless } = event(0)
    assert.isString(_id)
    const state = play(
      { ...initial(), connection: withDashboard("https://dash.test/{id}").connection },
      page([nameless])
    )
    assert.include(screen(play(state.state, pressed("o")).state).join("\n"), "gave the event no id")
    const { connection } = withDashboard("https://dash.test/t/{transactionId}")
    const { commands } = play({ ...state.state, connection }, pressed("o"))
    assert.deepStrictEqual(commands, [{ _tag: "OpenUrl", url: "https://dash.test/t/txn_0000" }])
  })
})
