import { assert, describe } from "@effect/vitest"
import { damagesOf } from "@signalbox/testing/Damage"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import { clientLayer, event, makeTransport, page, type Respond } from "../../test/transport/Transport.ts"
import * as EventCursor from "./EventCursor.ts"
import { type EventFilters, Events, type PagesOptions } from "./Events.ts"
import * as EventWalk from "./EventWalk.ts"

/** The results of `count` pulls of a walk, and the queries that it sent. */
const walk = Effect.fnUntraced(function* (
  pulls: number,
  respond: Respond,
  filters?: EventFilters,
  options: PagesOptions = { prefetch: false }
) {
  const transport = makeTransport(respond)
  const pages = yield* Events.use((events) =>
    Effect.gen(function* () {
      const { next } = yield* EventWalk.make(events, filters, options)
      return yield* Effect.forEach(Array.from({ length: pulls }), () => Effect.result(next))
    }).pipe(Effect.scoped)
  ).pipe(Effect.provide(clientLayer(transport)))
  return { pages, queries: transport.sent.map(({ url }) => url.searchParams) }
})

const ends = <A>(pages: ReadonlyArray<{ readonly _tag: "Success" | "Failure"; readonly success?: A }>) =>
  pages.map((page) => (page._tag === "Failure" ? "failure" : page.success === undefined ? "end" : "page"))

describe("a walk", () => {
  it.effect("stays at its end once it is there", function* () {
    const { pages, queries } = yield* walk(3, () => Response.json(page({ data: [event("a")] })))
    assert.deepStrictEqual(ends(pages), ["page", "end", "end"])
    assert.strictEqual(queries.length, 1)
  })
  it.effect("returns the facts of each page, and a cursor to every page", function* () {
    const { pages } = yield* walk(2, (_, number) =>
      Response.json(page({ hasMore: number < 2, page: number - 1, pageSize: 7, data: [event(`e${number}`)] }))
    )
    const facts = pages.map((one) => {
      const given = one._tag === "Success" ? one.success : undefined
      return [given?.page, given?.pageSize, given?.hasMore, typeof given?.cursor]
    })
    assert.deepStrictEqual(facts, [
      [0, 7, true, "string"],
      [1, 7, false, "string"]
    ])
  })
  it.effect("begins at the page that the caller names", function* () {
    const { queries } = yield* walk(2, () => Response.json(page({ hasMore: true, data: [event("a"), event("b")] })), {
      page: 4
    })
    assert.deepStrictEqual(
      queries.map((query) => query.get("page")),
      ["4", "5"]
    )
    const first = yield* walk(1, () => Response.json(page()), { page: 0 })
    assert.deepStrictEqual(
      first.queries.map((query) => query.get("page")),
      ["0"]
    )
  })
  it.effect("ends at the third page in a row without new records, and a new one begins the count again", function* () {
    const ids = ["a", "a", "a", "b", "b", "b", "b"]
    const { pages } = yield* walk(8, (_, number) =>
      Response.json(page({ hasMore: true, data: [event(ids[number - 1] ?? "b")] }))
    )
    assert.deepStrictEqual(ends(pages).slice(0, 7), ["page", "page", "page", "page", "page", "page", "failure"])
  })
  it.effect("remembers the ids of 10,000 records, and no more of a long listing", function* () {
    const sizes = [1, 9_999, 1, 1, 1]
    const { pages } = yield* walk(5, (_, number) => {
      // The first id is sent again while it is remembered, and after two more records.
      const ids =
        number === 1 || number === 3 || number === 5
          ? ["first"]
          : Array.from({ length: sizes[number - 1] ?? 0 }, (_unused, at) => `${number}-${at}`)
      return Response.json(page({ hasMore: number < 5, data: ids.map((id) => event(id)) }))
    })
    assert.deepStrictEqual(
      pages.map((one) => (one._tag === "Success" ? one.success?.data.length : undefined)),
      [1, 9_999, 0, 1, 1]
    )
  })
  it.effect("tries a page that failed again at the next pull, and loses no record by it", function* () {
    const { pages, queries } = yield* walk(3, (_, number) =>
      number === 2
        ? new Response(null, { status: 400 })
        : Response.json(page({ hasMore: number === 1, data: [event(`e${number}`)] }))
    )
    assert.deepStrictEqual(ends(pages), ["page", "failure", "page"])
    assert.deepStrictEqual(
      queries.map((query) => query.get("page")),
      [null, "1", "1"]
    )
  })
  it.effect("resumes from a cursor with the same filters in any order, and with no others", function* () {
    const cursor = EventCursor.format({ page: 3, before: "2026-01-01", filters: { limit: 5, severity: "high" } })
    const from = (filters: EventFilters) =>
      walk(1, () => Response.json(page()), filters, { cursor, prefetch: false }).pipe(Effect.result)
    for (const filters of [{}, { limit: 5, severity: "high" }, { severity: "high", limit: 5 }]) {
      const result = yield* from(filters)
      if (result._tag === "Failure") return assert.fail(result.failure.message)
      const [query] = result.success.queries
      assert.deepStrictEqual(
        ["page", "before", "limit", "severity"].map((name) => query?.get(name)),
        ["3", "2026-01-01", "5", "high"]
      )
    }
    for (const filters of [{ limit: 5 }, { limit: 5, severity: "low" }]) {
      const result = yield* from(filters)
      assert(result._tag === "Failure")
      assert.deepInclude(result.failure.reason, {
        _tag: "InvalidRequest",
        message: "cursor: Expected the filters of the cursor, or no filters",
        fields: [{ path: "cursor", rule: "Expected the filters of the cursor, or no filters" }]
      })
      assert.deepInclude(result.failure, {
        message: `events.list failed: ${result.failure.reason.message}. ${result.failure.advice}`,
        advice: "Correct the cursor, or start without one. Nothing was sent.",
        attempts: [],
        mayHaveBeenApplied: false
      })
      assert.notProperty(result.failure, "status")
    }
  })
})

describe("a cursor", () => {
  const nested = `${"[".repeat(100_000)}${"]".repeat(100_000)}`
  const names = Array.from({ length: 20_000 }, (_, index) => `"name${index}":1`).join()
  it.effect.each([
    ["nested filters", `{"version":1,"page":0,"filters":{"emails":${nested}}}`],
    ["too many filters", `{"version":1,"page":0,"filters":{${names}}}`]
  ])("with %s is invalid, and nothing is sent", function* ([, cursor]) {
    const { pages, queries } = yield* walk(1, () => Response.json(page()), { severity: "high" }, { cursor }).pipe(
      Effect.catch(({ reason }) => Effect.succeed({ pages: [reason._tag, reason.message], queries: [] }))
    )
    const message = "cursor: Expected the cursor of a page"
    assert.deepStrictEqual<unknown>([pages, queries], [["InvalidRequest", message], []])
  })
  it("has at most 100,000 characters", () => {
    const ofLength = (length: number) => {
      const filters = { search: "" }
      const rest = length - EventCursor.format({ page: 0, filters }).length
      return EventCursor.format({ page: 0, filters: { search: "x".repeat(rest) } })
    }
    assert.strictEqual(EventCursor.parse(ofLength(100_000))?.page, 0)
    assert.isUndefined(EventCursor.parse(ofLength(100_001)))
  })
  it("keeps that the walk is complete", () => {
    const text = EventCursor.format({ page: 1, isDone: true, filters: {} })
    assert.deepStrictEqual(EventCursor.parse(text), { page: 1, isDone: true, filters: {} })
    assert.strictEqual(text, '{"version":1,"page":1,"isDone":true,"filters":{}}')
    assert.isUndefined(EventCursor.parse('{"version":1,"page":1,"isDone":1,"filters":{}}'))
    assert.isUndefined(EventCursor.parse('{"version":1,"page":1,"isDone":false,"filters":{}}'))
  })
  it("reports what it was made from, with an end and without", () => {
    for (const [page, before] of [
      [3, "2026-01-01"],
      [0, undefined]
    ] as const) {
      const read = EventCursor.parse(EventCursor.format({ page, before, filters: { limit: 5 } }))
      assert.deepStrictEqual([read?.page, read?.before, read?.filters], [page, before, { limit: 5 }])
    }
  })
  it("is rejected when it is damaged, or has another value in one place", () => {
    const filters = { channels: ["email"], emails: ["ada@example.com"] } as const
    const valuesOf = (text: string) => {
      const { before, filters: read, page } = EventCursor.parse(text) ?? {}
      return { page, before, ...read }
    }
    const whole = EventCursor.format({ page: 3, before: "2026-05-01T08:00:00.000Z", filters })
    const expected = Object.entries(valuesOf(whole)).map(([name, value]) => [name, JSON.stringify(value)])
    let rejected = 0
    for (const { bytes, damage } of damagesOf(whole)) {
      const text = bytes.toString()
      if (EventCursor.parse(text) === undefined) {
        rejected += 1
        continue
      }
      const read = new Map(Object.entries(valuesOf(text)).map(([name, value]) => [name, JSON.stringify(value)]))
      const changed = expected.filter(([name = "", value]) => read.get(name) !== value)
      assert.isAtMost(changed.length, 1, damage)
      // Nothing is left out: the name of a filter that does not exist is rejected by the call.
      assert.strictEqual(read.size, expected.length, damage)
    }
    assert.isAbove(rejected, 300)
  })
  for (const text of [
    "page 3",
    "null",
    "[]",
    '{"page":3,"filters":{}}',
    '{"version":2,"page":3,"filters":{}}',
    '{"version":1,"page":-1,"filters":{}}',
    '{"version":1,"page":1.5,"filters":{}}',
    '{"version":1,"page":"3","filters":{}}',
    '{"version":1,"page":3}',
    '{"version":1,"page":3,"filters":{},"before":7}',
    '{"version":1,"page":3,"filters":{},"bafore":"2026-05-01"}',
    '{"version":1,"page":3,"filters":{},"before":"soon"}',
    '{"version":1,"page":3,"filters":{"emails":{}}}',
    '{"version":1,"page":3,"filters":{"emails":[["a"]]}}'
  ]) {
    it(`is not ${text}`, () => {
      assert.isUndefined(EventCursor.parse(text))
    })
  }
})
