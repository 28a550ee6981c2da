import type { ActivityNotification } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { event, initial, page, play, pressed, screen } from "../../../test/Sample.ts"

/** The event with these facts on its first job. */
const withJob = (facts: object): ActivityNotification => {
  const base = event(1)
  return { ...base, jobs: Array.from(base.jobs ?? [], (job, at) => (at === 0 ? Object.assign({}, job, facts) : job)) }
}

const opened = (shown: ActivityNotification, columns = 80) =>
  screen(play(initial({ columns, rows: 24 }), page([shown]), pressed("enter")).state).join("\n")

describe("the lines of an event", () => {
  it("keep a cell between columns, however long the words of the service are", () => {
    const text = opened(
      withJob({ status: "waiting_for_something_long", providerId: "a-very-long-provider", type: "email" })
    )
    assert.match(text, / email +a-very-long… +0 ms /u)
    assert.include(text, "waiting_for_something_long")
  })
  it("count one event as one", () => {
    const digest = (events: number) => ({
      type: "digest",
      digest: { type: "regular", events: Array.from({ length: events }, () => ({})) }
    })
    assert.include(opened(withJob(digest(1)), 120), "1 event digested")
    assert.include(opened(withJob(digest(3)), 120), "3 events digested")
  })
})
