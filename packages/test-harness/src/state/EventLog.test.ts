import { assert, describe, it } from "@effect/vitest"
import * as EventLog from "./EventLog.ts"
import * as Random from "../random/Random.ts"
import type { EventRecord } from "./Records.ts"

const random = Random.stream(11)

const makeEvent = (sequence: number): EventRecord => ({
  id: `e${sequence}`,
  sequence,
  createdAt: Random.whole(random, 0, 40),
  subscriberId: `s${Random.whole(random, 0, 5)}`,
  workflowId: `w${Random.whole(random, 0, 3)}`,
  transactionId: `t${sequence}`,
  channels: Random.pick(random, [["email"], ["email", "sms"], ["push", "push"], []]),
  ...(sequence % 3 === 0 ? {} : { severity: Random.pick(random, ["high", "low"]) }),
  critical: false,
  tags: [],
  topics: [],
  contextKeys: [],
  payload: {}
})

const events = Array.from({ length: 300 }, (_, sequence) => makeEvent(sequence))

const appended = events.reduce(EventLog.append, EventLog.empty)

const order = (one: EventRecord, other: EventRecord) => one.createdAt - other.createdAt || one.sequence - other.sequence

const expected = (search: EventLog.Search): ReadonlyArray<string> => {
  const found = events
    .filter((event) => event.createdAt >= search.from && event.createdAt <= search.to)
    .filter((event) => {
      const environment = search.criteria.map(({ dimension, values }) =>
        EventLog.valuesOf(event, dimension).some((value) => values.includes(value))
      )
      return search.combine === "all"
        ? environment.every(Boolean)
        : environment.length === 0 || environment.some(Boolean)
    })
    .toSorted(order)
    .map(({ id }) => id)
  return search.order === "newest-first" ? found.toReversed() : found
}

const criterion = (): EventLog.Criterion =>
  Random.pick(random, [
    { dimension: "channel", values: ["email", "push"] },
    { dimension: "channel", values: ["sms"] },
    { dimension: "subscriber", values: ["s1", "s2", "s9"] },
    { dimension: "subscriber", values: Array.from({ length: 20 }, (_, at) => `s${at % 4}`) },
    { dimension: "workflow", values: ["w1"] },
    { dimension: "severity", values: ["", "high"] },
    { dimension: "transaction", values: [] },
    { dimension: "transaction", values: Array.from({ length: 40 }, (_, at) => `t${at * 7}`) }
  ])

describe("EventLog", () => {
  it("finds the same events as a plain filter, in order, for any way of building the log", () => {
    const atOnce = EventLog.fromEvents(events.toReversed())
    for (let round = 0; round < 400; round += 1) {
      const search: EventLog.Search = {
        criteria: Array.from({ length: Random.whole(random, 0, 3) }, criterion),
        combine: Random.pick(random, ["all", "any"]),
        from: Random.whole(random, -5, 20),
        to: Random.whole(random, 10, 45),
        order: Random.pick(random, ["newest-first", "oldest-first"])
      }
      const wanted = expected(search)
      assert.deepStrictEqual(
        Array.from(EventLog.search(appended, search), ({ id }) => id),
        wanted
      )
      assert.deepStrictEqual(
        Array.from(EventLog.search(atOnce, search), ({ id }) => id),
        wanted
      )
    }
  })

  it("adding an event leaves the old log unchanged and shares its large segments", () => {
    const next = EventLog.append(appended, makeEvent(300))
    assert.strictEqual(appended.size, 300)
    assert.strictEqual(EventLog.all(appended).length, 300)
    assert.strictEqual(next.size, 301)
    assert.strictEqual(next.segments[0], appended.segments[0])
    assert.isAtMost(next.segments.length, 10)
  })

  it("returns when its newest event was created", () => {
    assert.strictEqual(EventLog.newest(appended), Math.max(...events.map(({ createdAt }) => createdAt)))
    assert.isUndefined(EventLog.newest(EventLog.empty))
  })

  it("finds an event by its id", () => {
    assert.strictEqual(EventLog.find(appended, "e17"), events[17])
    assert.isUndefined(EventLog.find(appended, "e999"))
  })
})
