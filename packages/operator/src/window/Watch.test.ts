import type { ActivityNotification } from "@signalbox/core/Records"
import { assert, describe, it } from "@effect/vitest"
import { eventOf, slackJob } from "../../test/Records.ts"
import { noWatch, periodMs, silenceMs, watched, type WatchState } from "./Watch.ts"

const now = Date.UTC(2026, 10, 21, 12)

let made = 0

const failed = (at: number, detail?: string) => {
  made += 1
  const ids = { _id: `event-${made}`, transactionId: `txn-${made}` }
  return eventOf([slackJob(detail)], { ...ids, createdAt: new Date(at).toISOString() })
}

const several = (count: number, at: number) => Array.from({ length: count }, () => failed(at))

const kinds = (state: WatchState, events: ReadonlyArray<ActivityNotification>, at: number) =>
  watched(state, events, at).alerts.map(({ before, count, kind, title }) => `${kind} ${title} ${before} ${count}`)

const past = watched(noWatch, several(3, now - periodMs - 1_000), now, { isPast: true })

describe("watched", () => {
  it("reports no news about the past, and a new cause once", () => {
    assert.deepStrictEqual(past.alerts, [])
    const other = failed(now, "Subscriber does not have a phone number")
    const first = watched(past.state, [other, ...several(1, now)], now)
    assert.deepStrictEqual(
      first.alerts.map(({ kind, owner, title }) => [kind, title, owner]),
      [["new", "phone number missing", "subscriber"]]
    )
    assert.deepStrictEqual(kinds(first.state, [other], now + 1_000), [])
  })

  it("reports that a rate has doubled, and a second time only when it doubles again", () => {
    const doubled = watched(past.state, several(6, now), now)
    assert.deepStrictEqual(
      doubled.alerts.map(({ before, count, kind }) => [kind, before, count]),
      [["doubled", 3, 6]]
    )
    assert.deepStrictEqual(kinds(doubled.state, several(4, now), now), [])
    assert.deepStrictEqual(kinds(doubled.state, several(6, now), now), ["doubled slack webhook missing 3 12"])
    assert.deepStrictEqual(kinds(past.state, several(4, now), now), [])
  })

  it("reports that a cause has ended, and that it is back", () => {
    const silent = watched(past.state, [], now - periodMs + silenceMs)
    assert.deepStrictEqual(
      silent.alerts.map(({ kind }) => kind),
      ["ended"]
    )
    assert.deepStrictEqual(kinds(silent.state, [], now + silenceMs), [])
    const back = now + 2 * silenceMs
    assert.deepStrictEqual(kinds(silent.state, several(1, back), back), ["new slack webhook missing 0 1"])
  })

  it("counts an event that is read again once", () => {
    const events = several(6, now)
    const first = watched(past.state, events, now)
    const again = watched(first.state, events, now + 1_000)
    assert.deepStrictEqual(again.alerts, [])
    assert.strictEqual(again.state.counted.size, first.state.counted.size)
  })
})
