import type { ActivityNotification } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { event, loaded, now, play, pressed, screen } from "../../../test/Sample.ts"
import type { Msg } from "../../state/Msg.ts"
import { update } from "../../app/Update.ts"
import { topScreen } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import { eventKey } from "@signalbox/operator/reading/EventKey"

const wide = { columns: 120, rows: 40 }

/** An event newer than those of the sample. */
const newer = (index: number): ActivityNotification => ({
  ...event(-2 - index),
  _id: `new-${index}`,
  createdAt: new Date(now - 20_000 + index * 1000).toISOString()
})

const call = { status: 200, durationMs: 10, attempts: 1, unreadable: [] }

const read = (data: ReadonlyArray<ActivityNotification>, hasMore = false): ReadonlyArray<Msg> => [
  { _tag: "RefreshDue" },
  { _tag: "EventsLoaded", screenId: 0, mode: "tail", page: { data, hasMore, page: 0, pageSize: 50 }, call }
]

const events = (state: State) => {
  const top = topScreen(state)
  assert(top._tag === "Events")
  return top
}

const followed = (...keys: ReadonlyArray<string>) => play(loaded(9, wide), pressed("t", ...keys)).state

describe("a live tail", () => {
  it("requests only events after the newest one, with a second to spare", () => {
    const { commands } = play(followed(), { _tag: "RefreshDue" })
    const [command] = commands
    assert(command?._tag === "LoadEvents")
    assert.strictEqual(command.mode, "tail")
    const newest = events(followed()).events[0]?.createdAt ?? ""
    assert.strictEqual(command.filters.after, new Date(Date.parse(newest) - 1000).toISOString())
    assert.notProperty(command.filters, "before")
  })

  it("looks again at events among the newest whose steps are not done", () => {
    const state = followed()
    const [first, second, third] = events(state).events
    assert(first !== undefined && second !== undefined && third !== undefined)
    const [job] = third.jobs ?? []
    assert(job !== undefined)
    const [detail] = job.executionDetails
    assert(detail !== undefined)
    const waiting = {
      ...job,
      type: "delay",
      status: "delayed",
      executionDetails: [{ ...detail, status: "Pending" as const }]
    }
    const list = { ...events(state), events: [first, second, { ...third, jobs: [waiting] }] }
    const { commands } = play({ ...state, screens: [list] }, { _tag: "RefreshDue" })
    const [command] = commands
    assert(command?._tag === "LoadEvents")
    assert.strictEqual(command.filters.after, new Date(Date.parse(third.createdAt ?? "") - 1).toISOString())
  })

  it("puts new events on top where the cursor is at the top, drops duplicates, and counts them in the header", () => {
    const state = followed()
    const before = events(state).events
    const after = play(state, ...read([newer(2), newer(1), newer(1), ...before.slice(0, 2)])).state
    assert.deepStrictEqual(events(after).events.map(eventKey), ["new-2", "new-1", ...before.map(eventKey)])
    assert.strictEqual(events(after).cursor.at, 0)
    assert.include(screen(after)[0], "just now")
    const again = play(after, ...read([newer(3), newer(2), newer(1)])).state
    assert.strictEqual(events(again).events.length, before.length + 3)
    assert.strictEqual(events(play(again, ...read([newer(3)])).state).events, events(again).events)
  })

  it("shows new events a minute, of the time that its reads cover", () => {
    const reads = (state: State, seconds: number, count: number) =>
      read(Array.from({ length: count }, (_, index) => newer(seconds * 100 + index))).reduce(
        (current, message) => update(current, message, now + seconds * 1000).state,
        state
      )
    const after = reads(followed(), 5, 20)
    assert.include(screen(after)[0], "live 240/min")
    assert.include(screen(reads(after, 10, 10))[0], "live 180/min")
  })

  it("lets them wait while the list is scrolled, and shows them on the dot key", () => {
    const state = followed("j", "j")
    const before = events(state)
    const after = play(state, ...read([newer(2), newer(1)]), ...read([newer(3), newer(2)])).state
    assert.strictEqual(events(after).events, before.events)
    assert.deepStrictEqual(events(after).cursor, before.cursor)
    assert.include(screen(after)[0], "+3 new, press .")
    const shown = play(after, pressed(".")).state
    assert.strictEqual(events(shown).events.length, before.events.length + 3)
    assert.strictEqual(events(shown).events[events(shown).cursor.at], before.events[2])
  })

  it("counts those that the filter hides, and the dot key counts them among the causes", () => {
    const failing = { ...newer(1), jobs: event(3, { fails: true }).jobs ?? [] }
    const filters: ReadonlyArray<readonly [keys: ReadonlyArray<string>, news: string, how: string]> = [
      [["1"], "+2 new, 1 hidden, press .", "1 new event hidden by the filter; 0 shows all"],
      [["/", ..."ok u_1", "enter"], "+2 new, 2 hidden, press .", "2 new events hidden by the filter; X shows all"]
    ]
    for (const [keys, news, how] of filters) {
      const state = play(play(loaded(60, wide), pressed("t", ...keys, "j")).state, ...read([failing, newer(0)])).state
      assert.include(screen(state)[0], news)
      const shown = play(state, pressed(".")).state
      assert.strictEqual(shown.notice?.text, how)
      assert.include(screen(shown).join("\n"), "13 failures".toUpperCase())
      assert.notInclude(screen(shown)[0], "new")
    }
  })

  it("announces a gap, and reads the list anew on the dot key", () => {
    const many = Array.from({ length: 500 }, (_, index) => newer(500 - index))
    const { state } = play(followed(), ...read(many, true))
    assert.strictEqual(events(state).events.length, 9)
    assert.include(screen(state)[0], "+500 or more new, press .")
    assert.include(screen(state).join("\n"), "a gap: more events arrived since 12:41:07Z than were read")
    const [command] = play(state, pressed(".")).commands
    assert(command?._tag === "LoadEvents")
    assert.strictEqual(command.mode, "first")
  })
})
