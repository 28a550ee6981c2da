import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { clientLayer, event, makeTransport, page, type Respond } from "../../test/transport/Transport.ts"
import { eventsListQuery } from "../contract/Operations.ts"
import * as IdempotencyPolicy from "../policies/IdempotencyPolicy.ts"
import { Events, type EventFilters, type PagesOptions } from "./Events.ts"

const records = (...ids: ReadonlyArray<string | undefined>) => ids.map((id) => event(id))

const pagesFrom = Effect.fnUntraced(function* (respond: Respond, filters?: EventFilters, options?: PagesOptions) {
  const transport = makeTransport(respond)
  const result = yield* Events.use((events) => Stream.runCollect(events.pages(filters, options))).pipe(
    Effect.provide(clientLayer(transport)),
    Effect.result
  )
  return { result, sent: transport.sent, queries: transport.sent.map(({ url }) => url.search) }
})

const idsOf = (pages: ReadonlyArray<{ readonly data: ReadonlyArray<{ readonly _id?: string }> }>) =>
  pages.map(({ data }) => data.map(({ _id }) => _id))

const success = <A>(result: { readonly _tag: "Success"; readonly success: A } | { readonly _tag: "Failure" }): A => {
  assert.strictEqual(result._tag, "Success")
  return (result as { readonly success: A }).success
}

const newYear = new Date("2026-01-01T00:00:00Z")
const noTime = new Date(Number.NaN)

describe("list", () => {
  it.effect("sends the given filters and nothing else", function* () {
    const transport = makeTransport(() => Response.json(page()))
    yield* Events.use((events) =>
      Effect.all([
        events.list(),
        events.list({ channels: ["email", "sms"], emails: "ada@example.com", severity: ["high"], limit: undefined }),
        events.list({ contextKeys: [] })
      ])
    ).pipe(Effect.provide(clientLayer(transport)))
    assert.deepStrictEqual(
      transport.sent.map(({ url }) => url.search),
      ["", "?channels=email&channels=sms&emails=ada%40example.com&severity=high", "?contextKeys="]
    )
    const [first] = transport.sent
    assert.strictEqual(first?.headers.get("authorization"), "ApiKey key-of-the-tests-81")
    assert.strictEqual(first?.headers.get("traceparent"), null)
    assert.strictEqual(first?.headers.get("b3"), null)
  })
  it.effect("accepts a Date for a time and a string for a list, and rejects a Date without a time", function* () {
    const transport = makeTransport(() => Response.json(page()))
    const list = (filters: EventFilters) =>
      Events.use((events) => events.list(filters)).pipe(Effect.provide(clientLayer(transport)), Effect.result)
    yield* list({ channels: "email", contextKeys: "tenant:acme", after: newYear })
    assert.strictEqual(
      decodeURIComponent(transport.sent[0]?.url.search ?? ""),
      "?channels=email&contextKeys=tenant:acme&after=2026-01-01T00:00:00.000Z"
    )
    const wrong = yield* list({ before: noTime })
    if (wrong._tag === "Success") return assert.fail("expected a failure")
    assert.include(wrong.failure.message, "before: Expected a valid date")
    assert.lengthOf(transport.sent, 1)
  })
  it.effect("rejects a period that ends before it starts, and sends nothing", function* () {
    const transport = makeTransport(() => Response.json(page()))
    const list = (after: string | Date, before: string | Date) =>
      Events.use((events) => events.list({ after, before })).pipe(Effect.provide(clientLayer(transport)), Effect.result)
    for (const [after, before] of [
      ["2026-02-01T00:00:00Z", "2026-01-01T00:00:00Z"],
      [new Date("2026-01-01T00:00:01Z"), "2026-01-01T01:00:00+01:00"]
    ] as const) {
      const result = yield* list(after, before)
      if (result._tag === "Success") return assert.fail("expected a failure")
      assert.strictEqual(result.failure.reason._tag, "InvalidRequest")
      assert.include(result.failure.message, "after: Expected a time not later than before: nothing lies between them")
    }
    assert.lengthOf(transport.sent, 0)
    // Whether a service includes either time is open.
    assert.isTrue(Result.isSuccess(yield* list("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z")))
  })
  it.effect("rejects every filter without a value, which would list everything, and sends nothing", function* () {
    const transport = makeTransport(() => Response.json(page()))
    // An empty `contextKeys` is a condition: no context.
    const { contextKeys: _, ...query } = eventsListQuery
    for (const name of Object.keys(query)) {
      for (const value of ["", [], [""]]) {
        const failure = yield* Events.use((events) => events.list({ [name]: value })).pipe(
          Effect.provide(clientLayer(transport)),
          Effect.flip
        )
        assert.strictEqual(failure.reason._tag, "InvalidRequest")
        assert.include(failure.message, `${name}: Expected a value; leave it out to list all`)
      }
    }
    assert.lengthOf(transport.sent, 0)
  })
  it.effect("encodes arrays as the connection configures", function* () {
    const queries = yield* Effect.forEach(["brackets", "indices", "comma"] as const, (arrayEncoding) => {
      const transport = makeTransport(() => Response.json(page()))
      return Events.use((events) => events.list({ channels: ["a", "b"] })).pipe(
        Effect.provide(clientLayer(transport, { arrayEncoding })),
        Effect.map(() => decodeURIComponent(transport.sent[0]?.url.search ?? ""))
      )
    })
    assert.deepStrictEqual(queries, ["?channels[]=a&channels[]=b", "?channels[0]=a&channels[1]=b", "?channels=a,b"])
  })
  it.effect("refuses more values of a filter than the connection allows, and sends nothing", function* () {
    const ids = (length: number) => Array.from({ length }, (_, at) => `s${at}`)
    const list = (length: number) => {
      const transport = makeTransport(() => Response.json(page()))
      return Events.use((events) => events.list({ subscriberIds: ids(length), channels: ["email"] })).pipe(
        Effect.provide(clientLayer(transport, { maxFilterValues: 20 })),
        Effect.match({ onSuccess: () => "sent", onFailure: ({ message }) => message }),
        Effect.map((outcome) => [transport.sent.length, outcome] as const)
      )
    }
    assert.deepStrictEqual(yield* list(20), [1, "sent"])
    const [requests, message] = yield* list(21)
    assert.strictEqual(requests, 0)
    assert.include(message, "subscriberIds: Expected at most 20 values")
  })
  it.effect("refuses a limit of 51 and a filter that does not exist", function* () {
    const transport = makeTransport(() => Response.json(page()))
    // A caller without types.
    const filters = { limit: 51, subscriberId: "user-7" } as EventFilters
    const error = yield* Events.use((events) => events.list(filters)).pipe(
      Effect.flip,
      Effect.provide(clientLayer(transport))
    )
    assert.deepStrictEqual(
      error.reason._tag === "InvalidRequest" && error.reason.fields.map(({ path }) => path).sort(),
      ["limit", "subscriberId"]
    )
    assert.strictEqual(transport.sent.length, 0)
  })
})

describe("pages", () => {
  it.effect("pins later pages by the clock of the service, rounded up one second", function* () {
    const { queries, result } = yield* pagesFrom(
      (_, number) =>
        Response.json(page({ hasMore: number < 3, data: records(`e${number}`) }), {
          headers: { date: "Sat, 21 Nov 2026 07:00:00 GMT" }
        }),
      { limit: 1 }
    )
    const pin = "before=2026-11-21T07%3A00%3A01.000Z"
    assert.deepStrictEqual(queries, ["?limit=1", `?limit=1&${pin}&page=1`, `?limit=1&${pin}&page=2`])
    assert.deepStrictEqual(idsOf(success(result)), [["e1"], ["e2"], ["e3"]])
  })
  it.effect("pins by the newest record when the response has no date", function* () {
    const { queries } = yield* pagesFrom((_, number) =>
      Response.json(page({ hasMore: number < 2, data: [event("a", "2026-11-21T06:00:00.000Z"), event("b")] }))
    )
    assert.strictEqual(queries[1], "?before=2026-11-21T07%3A00%3A00.001Z&page=1")
  })
  it.effect(
    "sends the caller's key unchanged with the first page, and another key with each further page",
    function* () {
      const key = "x".repeat(255)
      const walk = pagesFrom((_, number) =>
        Response.json(page({ hasMore: number < 3, data: records(`e${number}`) }))
      ).pipe(Effect.provideService(IdempotencyPolicy.IdempotencyPolicy, IdempotencyPolicy.fixed(key)))
      const { result, sent } = yield* walk
      assert.strictEqual(success(result).length, 3)
      const keys = sent.map(({ headers }) => headers.get("idempotency-key"))
      assert.strictEqual(keys[0], key)
      assert.strictEqual(new Set(keys).size, 3)
    }
  )
  it.effect("keeps the end that the caller gave", function* () {
    const { queries } = yield* pagesFrom(
      (_, number) => Response.json(page({ hasMore: number < 2, data: records(`e${number}`) })),
      { before: "2026-01-01" }
    )
    assert.deepStrictEqual(queries, ["?before=2026-01-01", "?before=2026-01-01&page=1"])
  })
  for (const isInclusive of [true, false]) {
    for (const date of [undefined, "Sat, 21 Nov 2026 06:59:58 GMT"]) {
      const name = `${isInclusive ? "with" : "without"} the end itself and ${date === undefined ? "no" : "a slow"} clock`
      it.effect(`loses no record on a service ${name}, while new events arrive`, function* () {
        const all = Array.from({ length: 5 }, (_, at) => event(`e${at}`, `2026-11-21T07:00:00.${500 - at}Z`))
        const arriving = Array.from({ length: 9 }, (_, at) => event(`n${at}`, `2026-11-21T07:00:0${at + 1}.000Z`))
        const { result } = yield* pagesFrom((sent, number) => {
          const before = sent.url.searchParams.get("before") ?? "9999"
          const found = [...arriving.slice(0, number - 1).reverse(), ...all].filter(({ createdAt }) =>
            isInclusive ? createdAt <= before : createdAt < before
          )
          const from = Number(sent.url.searchParams.get("page") ?? 0) * 2
          const body = page({ hasMore: from + 2 < found.length, data: found.slice(from, from + 2) })
          return Response.json(body, date === undefined ? {} : { headers: { date } })
        })
        const ids = idsOf(success(result)).flat()
        assert.deepStrictEqual(ids, ["e0", "e1", "e2", "e3", "e4"])
      })
    }
  }
  it.effect(
    "drops repeated records, never those without an id, and trusts hasMore on short and empty pages",
    function* () {
      const all = [records("a", "b", undefined), [], records("b", "c", undefined), []]
      const { result } = yield* pagesFrom((_, number) =>
        Response.json(page({ hasMore: number < 4, data: all[number - 1], page: 0 }))
      )
      assert.deepStrictEqual(idsOf(success(result)), [["a", "b", undefined], [], ["c", undefined], []])
    }
  )
  it.effect("ends with an error where hasMore stays true without new records", function* () {
    const { result, sent } = yield* pagesFrom((_, number) =>
      Response.json(page({ hasMore: true, data: records("a") }), { headers: { "x-request-id": `r${number}` } })
    )
    assert.strictEqual(sent.length, 4)
    if (result._tag === "Success") return assert.fail("expected a failure")
    const { attempts, idempotencyKey, mayHaveBeenApplied, message, advice, reason, requestId, status } = result.failure
    assert.strictEqual(reason._tag, "MalformedResponse")
    assert.deepStrictEqual(
      [status, requestId, idempotencyKey, attempts.map(({ outcome }) => outcome), mayHaveBeenApplied],
      [200, "r4", sent[3]?.headers.get("idempotency-key"), ["success"], false]
    )
    assert.strictEqual(advice, "Narrow the filters, so that fewer pages are needed.")
    assert.strictEqual(message, `events.list failed: 3 consecutive pages had hasMore but no new record. ${advice}`)
  })
  it.effect("resumes from a cursor, in another client, with the same filters", function* () {
    const respond: Respond = ({ url }) => {
      const number = Number(url.searchParams.get("page") ?? 0)
      return Response.json(page({ hasMore: number < 2, data: records(`e${number}`) }))
    }
    const whole = success((yield* pagesFrom(respond, { channels: ["email"] })).result)
    const cursor = whole[0]?.cursor
    const rest = yield* pagesFrom(respond, undefined, { cursor })
    assert.deepStrictEqual(idsOf(success(rest.result)), [["e1"], ["e2"]])
    assert.include(rest.queries[0], "channels=email")
    assert.include(rest.queries[0], "before=")
    const done = yield* pagesFrom(respond, undefined, { cursor: whole[2]?.cursor })
    assert.deepStrictEqual([success(done.result), done.queries], [[], []])
  })
  it.effect("resumes a moving window: the period is the cursor's, other filters must be the same", function* () {
    const respond: Respond = ({ url }) => Response.json(page({ hasMore: !url.searchParams.has("page") }))
    const filters = (day: number) => ({ severity: "high", after: new Date(Date.UTC(2026, 0, day)) })
    const [first] = success((yield* pagesFrom(respond, filters(1))).result)
    const rest = yield* pagesFrom(respond, filters(2), { cursor: first?.cursor })
    assert.include(rest.queries[0], "after=2026-01-01")
    const other = yield* pagesFrom(respond, { ...filters(2), severity: "low" }, { cursor: first?.cursor })
    assert.strictEqual(other.result._tag, "Failure")
  })
  it.effect("rejects a string that is not a cursor, and a cursor with other filters", function* () {
    const respond: Respond = () => Response.json(page({ hasMore: true, data: records("a") }))
    const transport = makeTransport(respond)
    const [first] = yield* Events.use((events) => Stream.runCollect(Stream.take(events.pages({ limit: 5 }), 1))).pipe(
      Effect.provide(clientLayer(transport))
    )
    for (const [filters, cursor] of [
      [undefined, "{}"],
      [undefined, "nonsense"],
      [{ limit: 6 }, first?.cursor]
    ] as const) {
      const { result, sent } = yield* pagesFrom(respond, filters, { cursor })
      assert.strictEqual(result._tag === "Failure" && result.failure.reason._tag, "InvalidRequest")
      assert.include(result._tag === "Failure" && result.failure.advice, "start without one. Nothing was sent.")
      assert.strictEqual(sent.length, 0)
    }
  })
  it.effect("fetches one page ahead and no more", function* () {
    const respond: Respond = (_, number) => Response.json(page({ hasMore: true, data: records(`e${number}`) }))
    const counts = yield* Effect.forEach([true, false], (prefetch) => {
      const transport = makeTransport(respond)
      const sentWhileBusy: Array<number> = []
      return Events.use((events) =>
        events.pages({}, { prefetch }).pipe(
          Stream.take(3),
          Stream.runForEach(() =>
            Effect.promise(() => new Promise((resolve) => setImmediate(resolve))).pipe(
              Effect.andThen(Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))),
              Effect.andThen(Effect.sync(() => sentWhileBusy.push(transport.sent.length)))
            )
          )
        )
      ).pipe(
        Effect.provide(clientLayer(transport)),
        Effect.map(() => sentWhileBusy)
      )
    })
    assert.deepStrictEqual(counts, [
      [2, 3, 4],
      [1, 2, 3]
    ])
  })
})

describe("stream", () => {
  it.effect("hands over the records of all pages", function* () {
    const transport = makeTransport((_, number) =>
      Response.json(page({ hasMore: number < 2, data: records(`a${number}`, `b${number}`) }))
    )
    const all = yield* Events.use((events) => Stream.runCollect(events.stream())).pipe(
      Effect.provide(clientLayer(transport))
    )
    assert.deepStrictEqual(
      all.map(({ _id }) => _id),
      ["a1", "b1", "a2", "b2"]
    )
  })
  it.effect("aborts the page on its way when the consumer stops", function* () {
    const transport = makeTransport((_, number) =>
      number === 1 ? Response.json(page({ hasMore: true, data: records("a") })) : "never"
    )
    yield* Events.use((events) =>
      events.stream().pipe(
        Stream.tap(() => Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))),
        Stream.take(1),
        Stream.runDrain
      )
    ).pipe(Effect.provide(clientLayer(transport)))
    assert.deepStrictEqual(transport.aborted, [2])
  })
})

describe("the end of a walk", () => {
  const times = [
    ["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.001Z"],
    ["1999-12-31T23:59:59.999Z", "2000-01-01T00:00:00.000Z"],
    ["2000-02-29T12:00:00.001Z", "2000-02-29T12:00:00.002Z"],
    ["2024-02-28T23:59:59.999Z", "2024-02-29T00:00:00.000Z"],
    ["2026-03-01T00:00:00.010Z", "2026-03-01T00:00:00.011Z"],
    ["2100-02-28T23:59:59.999Z", "2100-03-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "+010000-01-01T00:00:00.000Z"],
    ["-000001-06-30T23:59:59.999Z", "-000001-07-01T00:00:00.000Z"]
  ] as const
  for (const [time, end] of times) {
    it.effect(`is one millisecond after a record of ${time}`, function* () {
      const { sent } = yield* pagesFrom((_, number) =>
        Response.json(page({ hasMore: number < 2, data: [event("a", time)] }))
      )
      assert.strictEqual(sent[1]?.url.searchParams.get("before"), end)
    })
  }
  it.effect("sets no end if a record has the maximum date", function* () {
    const { result, sent } = yield* pagesFrom((_, number) =>
      Response.json(page({ hasMore: number < 2, data: [event("a", "+275760-09-13T00:00:00.000Z")] }))
    )
    assert.deepStrictEqual(idsOf(success(result)), [["a"], []])
    assert.strictEqual(sent[1]?.url.searchParams.get("before"), null)
  })
})
