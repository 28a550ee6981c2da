import * as Struct from "effect/Struct"
import type { ActivityNotification, EventPage } from "@signalbox/core/Records"
import type { EventFilters } from "@signalbox/core/Events"
import { assert, describe, it } from "@effect/vitest"
import { eventOf, slackJob } from "../../test/Records.ts"
import * as Effect from "effect/Effect"
import { failureGroups, failuresOf } from "../diagnosis/FailureGroup.ts"
import { eventResult } from "../status/Status.ts"
import { loadWindow, outlineOf, summaryOf, type WindowProgress } from "./LoadWindow.ts"
import { findOnset, sampleWindow } from "./Sample.ts"

const hour = 3_600_000
const day = { from: Date.UTC(2026, 10, 20, 12), to: Date.UTC(2026, 10, 21, 12) }

/** A generator of numbers below 1, the same for a seed everywhere. */
const random = (seed: number) => {
  let state = seed * 2_654_435_761
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

const job = (failed: boolean) =>
  failed ? slackJob() : { ...slackJob("Message sent", { status: "Success" }), status: "completed" }

const cause = "webhook-url-missing/chat/slack"

const eventAt = (at: number, failed: boolean, index: number) =>
  eventOf([job(failed)], {
    _id: `event-${index}`,
    _subscriberId: `internal-${index % 99}`,
    transactionId: `txn-${index}`,
    createdAt: new Date(at).toISOString(),
    payload: { orderId: `A-${index}` }
  })

interface Service {
  readonly list: (filters?: EventFilters) => Effect.Effect<EventPage>
  readonly requests: () => number
  readonly running: () => number
}

/** A service with events at these times, newest first, of which some failed. */
const serve = (times: ReadonlyArray<number>, failed: (at: number, index: number) => boolean): Service => {
  let requests = 0
  let running = 0
  let most = 0
  const list = ({ after, before, limit = 50, page = 0 }: EventFilters = {}) =>
    Effect.gen(function* () {
      requests += 1
      running += 1
      most = Math.max(most, running)
      yield* Effect.yieldNow
      running -= 1
      const [from, to] = [Date.parse(String(after ?? "")), Date.parse(String(before ?? ""))]
      const start = times.findIndex((at) => !(at >= to))
      const end = times.findIndex((at) => at <= from)
      const inside = times.slice(start === -1 ? times.length : start, end === -1 ? times.length : end)
      const shown = inside.slice(page * limit, (page + 1) * limit)
      return {
        data: shown.map((at, index) => {
          const place = (start === -1 ? 0 : start) + page * limit + index
          return eventAt(at, failed(at, place), place)
        }),
        hasMore: inside.length > (page + 1) * limit,
        page,
        pageSize: limit
      }
    })
  return { list, requests: () => requests, running: () => most }
}

/** Times of about `count` events over the day, newest first; busier at noon than at night. */
const timesOf = (count: number, next: () => number): ReadonlyArray<number> =>
  Array.from({ length: count }, () => {
    for (;;) {
      const part = next()
      if (next() < 0.35 + 0.65 * Math.abs(Math.sin(part * Math.PI)))
        return Math.floor(day.to - part * (day.to - day.from))
    }
  }).sort((a, b) => b - a)

interface Story {
  readonly kind: "start" | "stop" | "return" | "rare"
  readonly failed: (at: number, index: number) => boolean
  /** When the run of failures began that lasts until the end; absent where none does, or where it is too rare. */
  readonly began: number | undefined
}

const storyOf = (seed: number): Story & { readonly times: ReadonlyArray<number> } => {
  const next = random(seed)
  const kinds = ["start", "stop", "return", "rare"] as const
  const kind = kinds[seed % kinds.length] ?? "start"
  const times = timesOf(20_000, next)
  const share = kind === "rare" ? 0.002 + next() * 0.03 : 0.25 + next() * 0.5
  const dice = times.map(() => next() < share)
  const began = day.from + (2 + next() * 19) * hour
  const lasts = (1 + next() * 2) * hour
  const until = began + lasts
  const again = until + (1.5 + next() * 2) * hour
  const isActive = (at: number): boolean => {
    if (at < began) return false
    if (kind === "stop") return at < until
    return kind === "return" ? at < until || at >= again : true
  }
  const last = kind === "return" ? (again < day.to ? again : undefined) : began
  return {
    kind,
    times,
    failed: (at, index) => isActive(at) && dice[index] === true,
    began: kind === "stop" && until < day.to ? undefined : last
  }
}

describe("the onset of a cause in a sampled day", () => {
  it.effect.each(Array.from({ length: 50 }, (_, index) => index + 1))(
    "is within two minutes of the truth, or intermittent: seed %i",
    (seed) =>
      Effect.gen(function* () {
        const { began, failed, kind, times } = storyOf(seed)
        const service = serve(times, failed)
        const sample = yield* sampleWindow(service, {}, day)
        const onset = yield* findOnset(service, {}, sample, cause)
        assert.isAtMost(service.requests(), 48 + 40)
        if (onset._tag === "Intermittent") return assert.notStrictEqual(kind, "start")
        assert(onset._tag === "Began")
        assert(began !== undefined, `${kind} has no run that lasts`)
        assert.isAtMost(Math.abs(onset.at - began), 120_000, kind)
        assert.strictEqual(kind, "start")
      })
  )

  it.effect.each([27, 33, 34, 44, 63, 74])("is no time for a cause that grows over hours: seed %i", (seed) =>
    Effect.gen(function* () {
      const next = random(seed)
      const began = day.from + (2 + next() * 10) * hour
      const times = timesOf(25_000, next)
      const dice = times.map(() => next() / 0.15)
      const service = serve(times, (at, index) => (dice[index] ?? 1) < Math.min(1, (at - began) / (3 * hour)))
      const first = times.findLast((at, index) => (dice[index] ?? 1) < Math.min(1, (at - began) / (3 * hour))) ?? 0
      const onset = yield* findOnset(service, {}, yield* sampleWindow(service, {}, day), cause)
      if (onset._tag === "Began") assert.isAtMost(Math.abs(onset.at - first), 120_000)
    })
  )

  it.effect("is before the window where every point has the cause", () =>
    Effect.gen(function* () {
      const service = serve(timesOf(5_000, random(1)), (_, index) => index % 3 === 0)
      const sample = yield* sampleWindow(service, {}, day, 24)
      assert.deepStrictEqual(yield* findOnset(service, {}, sample, cause), { _tag: "Before", at: day.from })
      assert.strictEqual(service.requests(), 24)
    })
  )
})

describe("a sample", () => {
  it.effect("has the share of failures at each point, and how many events the window has", () =>
    Effect.gen(function* () {
      const noon = day.from + 12 * hour
      const service = serve(timesOf(20_000, random(7)), (at, index) => at >= noon && index % 2 === 0)
      const { expected, groups, points } = yield* sampleWindow(service, {}, day, 24)
      assert.strictEqual(service.requests(), 24)
      assert.isAtMost(service.running(), 4)
      for (const { at, coverage } of points) {
        assert.strictEqual(coverage.events, 50)
        if (at <= noon) assert.strictEqual(coverage.failed, 0)
        if (at > noon + hour / 2) assert.strictEqual(coverage.failed, 25)
      }
      assert.isAbove(expected, 16_000)
      assert.isBelow(expected, 24_000)
      assert.deepStrictEqual(
        groups.map((group) => group.cause),
        [cause]
      )
    })
  )

  it.effect("of a window without events is empty", () =>
    Effect.gen(function* () {
      const service = serve([], () => false)
      const sample = yield* sampleWindow(service, {}, day, 24)
      assert.deepStrictEqual([sample.expected, sample.groups.length], [0, 0])
      assert.strictEqual((yield* findOnset(service, {}, sample, cause))._tag, "Intermittent")
    })
  )
})

describe("loading a window", () => {
  it.effect("reads every event once, the newest first, four pages at a time, with progress", () =>
    Effect.gen(function* () {
      const times = Array.from({ length: 9_000 }, (_, index) => day.to - index * 9_600)
      const service = serve(times, (_, index) => index % 9 === 0)
      const progress: Array<WindowProgress> = []
      const events = yield* loadWindow(service, {}, day, {
        onPage: (one) => Effect.sync(() => void progress.push(one))
      })
      assert.deepStrictEqual(
        events.map(({ createdAt }) => Date.parse(createdAt ?? "")),
        times
      )
      assert.strictEqual(new Set(events.map(({ _id }) => _id)).size, 9_000)
      assert.isFalse(events.some(({ payload }) => payload === undefined))
      assert.strictEqual(service.running(), 4)
      assert.deepInclude(progress.at(-1), { events: 9_000, expected: 9_000 })
      // Parts that are not finished yet say nothing about the size of a part.
      for (const { expected = 9_000 } of progress) {
        assert.isAbove(expected, 8_000)
        assert.isBelow(expected, 10_000)
      }
    })
  )

  it.effect("has the newest events of a service whose clock is ahead", () =>
    Effect.gen(function* () {
      const times = Array.from({ length: 300 }, (_, index) => day.to + hour - index * 60_000)
      const events = yield* loadWindow(
        serve(times, () => false),
        {},
        day
      )
      assert.deepStrictEqual(
        events.map(({ createdAt }) => Date.parse(createdAt ?? "")),
        times
      )
    })
  )

  it.effect("has no estimate while its finished parts have fewer events than were read", () =>
    Effect.gen(function* () {
      const service = serve(
        Array.from({ length: 3_000 }, (_, index) => day.to - 12 * hour - index * 9_600),
        () => false
      )
      const progress: Array<WindowProgress> = []
      yield* loadWindow(service, {}, day, { onPage: (one) => Effect.sync(() => void progress.push(one)) })
      for (const { events, expected = 3_000 } of progress.slice(0, -4)) assert.isTrue(events === 0 || expected > events)
      assert.deepInclude(progress.at(-1), { events: 3_000, expected: 3_000 })
    })
  )

  it.effect("keeps only what results need of events that went well beyond 20,000", () =>
    Effect.gen(function* () {
      const service = serve(timesOf(20_500, random(4)), (_, index) => index % 10 === 0)
      const events = yield* loadWindow(service, {}, day)
      assert.lengthOf(events, 20_500)
      assert.isAbove(events.filter(({ payload }) => payload === undefined).length, 400)
      assert.strictEqual(events.filter((event) => failuresOf(event).length > 0).length, 2_050)
    })
  )

  it("summarises an event that went well, and leaves any other unchanged", () => {
    const [ok, failed] = [eventAt(day.to, false, 1), eventAt(day.to, true, 2)]
    assert.strictEqual(summaryOf(failed), failed)
    const { payload, ...summary } = summaryOf(ok)
    assert.isUndefined(payload)
    assert.strictEqual(eventResult(summary).kind, "ok")
    assert.strictEqual(summary.createdAt, ok.createdAt)
  })
})

describe("outlineOf", () => {
  it("keeps the failures of an event without what they were found in", () => {
    const event = eventOf([slackJob(), job(false)], {
      createdAt: new Date(day.to).toISOString(),
      payload: { orderId: "A-1" }
    })
    const outline = outlineOf(event)
    const groups = (of: ActivityNotification) => failureGroups([of]).map(Struct.omit(["events"]))
    assert.deepStrictEqual(groups(outline), groups(event))
    assert.lengthOf(groups(outline), 1)
    assert.strictEqual(outlineOf(event), outline)
    const kept = JSON.stringify([outline, failuresOf(outline)])
    assert.notInclude(kept, "A-1")
    assert.notInclude(kept, "raw")
    assert.deepStrictEqual(
      [...(outline.jobs ?? []), ...failuresOf(outline).map(({ diagnosis }) => diagnosis.job)].map(
        ({ executionDetails, status }) => [status, executionDetails.length]
      ),
      [
        ["completed", 0],
        ["failed", 0]
      ]
    )
  })
})
