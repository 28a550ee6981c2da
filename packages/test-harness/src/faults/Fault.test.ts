import { assert, describe, expect, it } from "@effect/vitest"
import * as Arbitrary from "effect/Arbitrary"
import * as Schema from "effect/Schema"
import * as Fault from "./Fault.ts"
import { schema } from "./FaultSchema.ts"
import { formNames, formRecords } from "./FaultForms.ts"

const refused: ReadonlyArray<unknown> = [
  7,
  {},
  { form: { _tag: "Flood" } },
  { form: { _tag: "status" } },
  { form: { _tag: "NoResponse", failure: "bang" } },
  { form: { _tag: "Refuse" }, point: "committed" },
  { form: { _tag: "MalformedJson" }, point: "received" },
  { form: { _tag: "Refuse" }, point: "later" },
  { form: { _tag: "Refuse" }, atempt: 1 },
  { form: { _tag: "Refuse" }, attempt: 0 },
  { form: { _tag: "Refuse" }, probability: 2 },
  { form: { _tag: "Latency", latency: { distribution: "fixed", delayMs: -1 } } },
  { form: { _tag: "Latency", latency: { distribution: "normal" } } },
  { form: { _tag: "Refuse", afterMs: 1 } },
  { form: { _tag: "RateLimited", retryAfterMs: 1e20, as: "http-date" } },
  { form: { _tag: "Status", status: 99 } },
  { form: { _tag: "Status", status: 204, body: {} } }
]

describe("Fault", () => {
  it.each(formNames)("has the functions that the example of the form %s uses", (name) => {
    const functions = [...formRecords[name].example.matchAll(/(\w+)\(/gu)].map(([, used = ""]) => used)
    assert.isNotEmpty(functions)
    for (const used of functions) assert.isFunction(Reflect.get(Fault, used), used)
  })

  it("fires at the first point of its form unless a point is set", () => {
    assert.deepStrictEqual(Fault.reset(), { form: { _tag: "NoResponse", failure: "reset" }, point: "received" })
    assert.strictEqual(Fault.cutBody({ afterBytes: 3 }).point, "answering")
    assert.strictEqual(Fault.status(503, { at: "committed" }).point, "committed")
    assert.deepStrictEqual(Fault.fromJson({ form: { _tag: "Drift", kind: "null" } }), Fault.drift({ kind: "null" }))
  })

  it("describes itself as in the journal", () => {
    assert.deepStrictEqual(
      [
        Fault.reset({ at: "committed" }),
        Fault.latency(200),
        Fault.latency({ distribution: "uniform", fromMs: 1, toMs: 2 }),
        Fault.status(503),
        Fault.rateLimited({ retryAfterMs: 2_000 }),
        Fault.html(),
        Fault.refuse(),
        Fault.slowBody({ bytes: 8, everyMs: 10 }),
        Fault.cutBody({ afterBytes: 5, failure: "reset" }),
        Fault.malformedJson(),
        Fault.contentType("text/html"),
        Fault.drift({ kind: "missing-field", field: "channel" })
      ].map(Fault.describe),
      [
        "reset at committed",
        "latency of 200 ms at received",
        "latency of 1 to 2 ms at received",
        "status 503 at received",
        "rate limit at received",
        "HTML page 502 at received",
        "refused connection at received",
        "slow body of 8 bytes every 10 ms at answering",
        "reset after 5 bytes of the body at answering",
        "malformed JSON at answering",
        "content type text/html at answering",
        "missing-field in channel at answering"
      ]
    )
  })

  it("cannot be built for a point where it cannot fire", () => {
    // Callers without types can name any point.
    assert.throws(
      () => Fault.refuse({ at: "committed" as "received" }),
      /Refuse happens at received, not at committed/u
    )
    assert.throws(() => Fault.latency(-1), RangeError, "fault.form.latency.delayMs: must be milliseconds, 0 or more")
    assert.throws(
      () => Fault.latency({ distribution: "uniform", fromMs: 2, toMs: 1 }),
      "fault.form.latency: must be an interval where fromMs is at most toMs"
    )
  })

  it("rejects a body that is not JSON when it is armed, not when it is sent", () => {
    const circular: Array<unknown> = []
    circular.push(circular)
    let deep: unknown = 1
    for (let depth = 0; depth < 501; depth += 1) deep = [deep]
    for (const body of [1n, circular, () => 1, Symbol("body"), deep]) {
      assert.throws(
        () => Fault.status(503, { body }),
        "fault.form.body: must be a JSON value, nested at most 500 levels deep"
      )
    }
    for (const body of [null, 0, "", [], {}, new Date(0), undefined])
      assert.doesNotThrow(() => Fault.status(503, { body }))
  })

  it("reports unknown and missing options", () => {
    // Callers without types can give anything.
    const nothing = undefined as never
    const none = null as unknown as Fault.Target<never>
    for (const build of [
      () => Fault.drift(nothing),
      () => Fault.slowBody(nothing),
      () => Fault.cutBody(nothing),
      () => Fault.rateLimited(nothing)
    ]) {
      assert.throws(build, RangeError, "fault: must be an object, not undefined")
    }
    for (const build of [() => Fault.reset(none), () => Fault.status(503, none), () => Fault.latency(1, none)]) {
      assert.throws(build, RangeError, "fault: must be an object, not null")
    }
    for (const headers of [new Headers({ a: "b" }), new Map([["a", "b"]]), [["a", "b"]]]) {
      const lost = headers as unknown as Readonly<Record<string, string>>
      assert.throws(
        () => Fault.status(503, { headers: lost }),
        RangeError,
        "fault.form.headers: must be a plain object"
      )
    }
  })

  it("rejects options without a meaning, which would be a fault for every request", () => {
    // Callers without types, and objects that are spread, can have any name.
    const misspelt: object = { opration: "events.list" }
    const allowed = "at, operation, attempt, request, key, probability, times"
    const own: ReadonlyArray<readonly [build: () => unknown, options: string]> = [
      [() => Fault.reset(misspelt), ""],
      [() => Fault.malformedJson(misspelt), ""],
      [() => Fault.status(503, misspelt), "body, headers, "],
      [() => Fault.rateLimited({ retryAfterMs: 1_000, ...misspelt }), "retryAfterMs, as, "],
      [() => Fault.slowBody({ bytes: 1, everyMs: 1, ...misspelt }), "bytes, everyMs, "],
      [() => Fault.cutBody({ afterBytes: 1, ...misspelt }), "afterBytes, failure, "],
      [() => Fault.drift({ kind: "null", ...misspelt }), "kind, field, "]
    ]
    for (const [build, options] of own) {
      assert.throws(
        build,
        RangeError,
        `fault.opration: unknown option; did you mean operation? Expected one of: ${options}${allowed}`
      )
    }
  })

  it("refused.txt has the message about each JSON that is no fault", async () => {
    const messages = refused.map((json) => {
      try {
        return assert.fail(JSON.stringify(Fault.fromJson(json)))
      } catch (error) {
        assert.instanceOf(error, RangeError)
        return `${JSON.stringify(json)}\n  ${String(error)}\n`
      }
    })
    await expect(messages.join("")).toMatchFileSnapshot("./refused.txt")
  })

  it.prop("is unchanged by a round trip through JSON", [Arbitrary.schema(schema)], ([fault]) => {
    const json: unknown = JSON.parse(JSON.stringify(Schema.encodeSync(schema)(fault)))
    assert.deepStrictEqual(JSON.parse(JSON.stringify(Fault.fromJson(json))), json)
    assert.deepStrictEqual(Fault.fromJson(json), JSON.parse(JSON.stringify(fault)))
  })
})
