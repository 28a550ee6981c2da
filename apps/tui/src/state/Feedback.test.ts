import { assert, describe, it } from "@effect/vitest"
import { attemptNote, elapsed, type Task, untilElapsed } from "./Feedback.ts"

const now = 1_000_000

const task = (ranFor: number, more: Partial<Task> = {}): Task => ({
  id: 1,
  label: "reading events",
  startedAt: now - ranFor,
  writes: false,
  ...more
})

describe("the time that a task has been running", () => {
  it.each([
    [1_999, ""],
    [2_000, ", 2 s"],
    [59_999, ", 59 s"],
    [60_000, ", 1m 0s"]
  ])("after %i ms is %j", (ranFor, text) => {
    assert.strictEqual(elapsed(task(ranFor), now), text)
  })
})

describe("the note of a task", () => {
  it.each([
    [{}, undefined],
    [{ note: "attempt 2" }, "attempt 2"],
    [{ waitsUntil: now + 5_001 }, "next request in 6 s, ctrl-c stops"],
    [{ waitsUntil: now - 1, note: "attempt 2" }, "retry in 1 s, ctrl-c stops; attempt 2"],
    [{ waitsUntil: now + 5_000, writes: true }, "next request in 5 s"]
  ])("of %j is %j", (more, text) => {
    assert.strictEqual(attemptNote(task(0, more), now, "ctrl-c"), text)
  })
})

describe("the time until another time is shown", () => {
  it.each([
    ["no task", [], undefined],
    ["a new one", [task(0)], 2_000],
    ["one of the future", [task(-500)], 2_000],
    ["one of 1.9 s", [task(1_900)], 100],
    ["one of 2 s", [task(2_000)], 1_000],
    ["one of 2.3 s", [task(2_300)], 700],
    ["the last of several", [task(2_300), task(0)], 2_000],
    ["one that waits 5.2 s", [task(0, { waitsUntil: now + 5_200 })], 200],
    ["one that waits 5 s", [task(0, { waitsUntil: now + 5_000 })], 1_000],
    ["one that waits 1 s", [task(2_300, { waitsUntil: now + 1_000 })], 700]
  ])("of %s is known", (_, tasks, ms) => {
    assert.strictEqual(untilElapsed({ now, tasks }), ms)
  })
})
