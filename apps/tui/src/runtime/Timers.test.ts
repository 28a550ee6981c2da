import { assert, describe, it } from "@effect/vitest"
import { makeManualClock } from "../../test/ManualClock.ts"
import { loaded, pressed, screen } from "../../test/Sample.ts"
import type { Command } from "../state/Command.ts"
import { fromUpsert } from "../state/Facts.ts"
import type { State } from "../state/State.ts"
import { makeStore } from "./Store.ts"
import { startTimers } from "./Timers.ts"

const hook = "https://hooks.example.test/services/T0/B0/token-1234"

const withCredentials = (state: State): State => ({
  ...state,
  facts: fromUpsert(
    state.facts,
    {
      subscriberId: "u_10000",
      _organizationId: "organization",
      _environmentId: "environment",
      deleted: false,
      createdAt: "2026-01-01T00:00:00Z",
      updatedAt: "2026-01-01T00:00:00Z",
      channels: [{ providerId: "slack", _integrationId: "1", credentials: { webhookUrl: hook } }]
    },
    state.now
  )
})

const start = (state: State) => {
  const clock = makeManualClock()
  const commands: Array<Command> = []
  const store = makeStore(state, (command) => commands.push(command), clock.now)
  let frames = 0
  store.subscribe(() => (frames += 1))
  const stop = startTimers(store, clock)
  return {
    clock,
    commands,
    stop,
    frames: () => frames,
    press: (...names: ReadonlyArray<string>) => store.dispatch(pressed(...names)),
    text: () => screen(store.get()).join("\n"),
    store
  }
}

describe("secrets that are shown", () => {
  it("are hidden again after ten seconds, and the screen reports how many are left", () => {
    const { clock, press, text } = start(withCredentials(loaded(3)))
    press("s", "v")
    assert.include(text(), hook)
    assert.include(text(), "shown for 10 s more, v hides them")
    clock.pass(1_000)
    assert.include(text(), "shown for 9 s more")
    clock.pass(8_999)
    assert.include(text(), "shown for 1 s more")
    assert.include(text(), hook)
    clock.pass(1)
    assert.notInclude(text(), hook)
    assert.include(text(), "hidden, v shows")
  })
  it("are hidden by the same key, and have all their time when they are shown again", () => {
    const { clock, press, text } = start(withCredentials(loaded(3)))
    press("s", "v")
    clock.pass(6_000)
    press("v")
    assert.notInclude(text(), hook)
    press("v")
    assert.include(text(), "shown for 10 s more")
    clock.pass(9_000)
    assert.include(text(), hook)
  })
  it("keep counting while keys are pressed and another screen covers them", () => {
    const { clock, press, text } = start(withCredentials(loaded(3)))
    press("s", "v", "a")
    clock.pass(4_000)
    press("escape")
    assert.include(text(), "shown for 6 s more")
    press("a")
    clock.pass(6_000)
    press("escape")
    assert.notInclude(text(), hook)
  })
  it("are hidden in the form as well, also in its request preview", () => {
    const { clock, press, store, text } = start(loaded(3, { columns: 120, rows: 40 }))
    press("c", ..."slack", "tab", "tab")
    store.dispatch({ _tag: "Paste", text: hook })
    press("tab", "ctrl-v")
    assert.include(text(), "secrets shown for 10 s more")
    assert.include(text(), hook)
    assert.include(text(), '"https://hooks.example.test/')
    clock.pass(10_000)
    assert.notInclude(text(), hook)
    assert.notInclude(text(), "secrets shown")
  })
  it("are hidden before the terminal is given back to the shell", () => {
    const { commands, press, text } = start(withCredentials(loaded(3)))
    press("s", "v", "ctrl-z")
    assert.notInclude(text(), hook)
    assert.deepStrictEqual(commands, [{ _tag: "Suspend" }])
  })
  it("are hidden by the first thing that happens after the machine slept or its clock was set back", () => {
    for (const jump of [3_600_000, -60_000]) {
      const { press, store, text } = start(withCredentials(loaded(3)))
      press("s", "v")
      const slept = makeStore(
        { ...store.get() },
        () => {},
        () => store.get().now + jump
      )
      slept.dispatch({ _tag: "Resized", size: { columns: 90, rows: 24 } })
      assert.include(text(), hook)
      assert.notInclude(screen(slept.get()).join("\n"), hook)
    }
  })
})

describe("time", () => {
  it("keeps the ages of an idle screen true, a minute at a time, and draws nothing else", () => {
    const { clock, frames, text } = start(loaded(3))
    assert.include(text(), "<1 min")
    clock.pass(59_999)
    assert.strictEqual(frames(), 0)
    clock.pass(1 + 5 * 60_000)
    assert.strictEqual(frames(), 6)
    assert.include(text(), " 6 min")
    assert.deepStrictEqual(
      text()
        .split("\n")
        .slice(2)
        .filter((line) => line.includes("<1 min")),
      []
    )
  })
  it("draws nothing for a screen reader, which would read every age", () => {
    const state = loaded(3)
    const { clock, frames } = start({ ...state, settings: { ...state.settings, screenReader: true } })
    clock.pass(3_600_000)
    assert.strictEqual(frames(), 0)
  })
  it("brings ages up to date each second while the list is followed, each minute where they are read aloud", () => {
    const { clock, frames, press, store } = start(loaded(3))
    press(":", ..."every 60m", "enter")
    const before = frames()
    clock.pass(999)
    assert.strictEqual(frames(), before)
    clock.pass(1)
    assert.strictEqual(frames(), before + 1)
    const state = store.get()
    const spoken = start({ ...state, settings: { ...state.settings, screenReader: true } })
    spoken.clock.pass(59_999)
    assert.strictEqual(spoken.frames(), 0)
    spoken.clock.pass(1)
    assert.strictEqual(spoken.frames(), 1)
  })
  it("requests a refresh at the interval, a new one from when it was set, none when it is off", () => {
    const { clock, commands, press, store } = start(loaded(3))
    const refreshes = () => commands.filter(({ _tag }) => _tag === "LoadEvents").length
    const answer = () =>
      store.dispatch({ _tag: "EventsFailed", screenId: 0, mode: "refresh", problem: { ...problem, at: clock.now() } })
    press("t")
    clock.pass(4_999)
    assert.strictEqual(refreshes(), 0)
    clock.pass(1)
    assert.strictEqual(refreshes(), 1)
    answer()
    press(":", ..."every 30s", "enter")
    clock.pass(29_999)
    assert.strictEqual(refreshes(), 1)
    clock.pass(1)
    assert.strictEqual(refreshes(), 2)
    answer()
    press("t")
    clock.pass(3_600_000)
    assert.strictEqual(refreshes(), 2)
  })
  it("shows for how long a call has been running, second by second, and stops with it", () => {
    const { clock, frames, store, text } = start(loaded(3))
    const task = { id: 1, label: "reading events", startedAt: clock.now(), writes: false }
    store.dispatch({ _tag: "TaskStarted", task })
    clock.pass(1_999)
    assert.match(text(), /reading events +\d/u)
    clock.pass(1)
    assert.include(text(), "reading events, 2 s")
    clock.pass(24_500)
    assert.include(text(), "reading events, 26 s")
    store.dispatch({ _tag: "TaskNoted", id: 1, note: "attempt 1 failed (Timeout)" })
    clock.pass(48_500)
    assert.include(text(), "reading events, 1m 15s: attempt 1 failed (Timeout)")
    store.dispatch({ _tag: "TaskEnded", id: 1 })
    const before = frames()
    clock.pass(59_999)
    assert.strictEqual(frames(), before)
  })
  it("counts down to the next attempt, second by second", () => {
    const { clock, frames, store, text } = start(loaded(3, { columns: 120, rows: 24 }))
    const task = { id: 1, label: "reading events", startedAt: clock.now(), writes: false }
    store.dispatch({ _tag: "TaskStarted", task })
    store.dispatch({ _tag: "TaskNoted", id: 1, note: "attempt 1 failed (ServerFailure)" })
    store.dispatch({ _tag: "TaskWaits", id: 1, until: clock.now() + 3_500 })
    assert.include(text(), "reading events: retry in 4 s, esc stops; attempt 1 failed (ServerFailure)")
    const before = frames()
    clock.pass(500)
    assert.include(text(), "retry in 3 s, esc stops")
    clock.pass(2_000)
    assert.include(text(), "retry in 1 s, esc stops")
    assert.isAtMost(frames() - before, 4)
    store.dispatch({ _tag: "TaskNoted", id: 1, note: "attempt 2 failed (Timeout)" })
    assert.match(text(), /attempt 2 failed \(Timeout\) +\d/u)
  })
  it("waits for nothing any more when it is stopped", () => {
    const { clock, press, stop } = start(loaded(3))
    press("t")
    stop()
    assert.strictEqual(clock.waiting(), 0)
  })
})

const problem = { summary: "events.list: no response", advice: "Try again.", fields: [] }
