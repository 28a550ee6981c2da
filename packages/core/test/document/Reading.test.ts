import { isDeepStrictEqual } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"
import { makeRecordWalker } from "../../src/reading/RecordWalker.ts"
import { makeReader, makeStrictReader, type Reader } from "../../src/reading/Reader.ts"
import { registry } from "../../Registry.ts"
import type { OperationWire, Shape } from "../../src/contract/Shape.ts"
import { credentialsUpsertWire, eventsListWire, messagesMarkAsWire } from "../../src/reading/Shapes.ts"
import { makeSchemaReader, makeStrictSchemaReader } from "../schema/SchemaReader.ts"
import { type Mutation, mutationsOf } from "./Mutations.ts"
import { fullValue, randomValue } from "./Values.ts"

interface Case {
  readonly table: string
  readonly read: Reader<unknown>
  readonly strict: Reader<unknown>
  /** The same by the schemas. */
  readonly readBySchema: Reader<unknown>
  readonly strictBySchema: Reader<unknown>
  readonly shape: Shape
  readonly schema: Schema.Codec<unknown, unknown>
  /** The body that contains a value of the table. */
  readonly bodyOf: (value: unknown) => unknown
  /** A record in a body, or in the value that was read of it. */
  readonly recordOf: (body: unknown) => unknown
}

const readersOf = <A>(wire: OperationWire<A>, operation: Parameters<typeof makeSchemaReader<A>>[0]) => ({
  read: makeReader(wire),
  strict: makeStrictReader(wire),
  readBySchema: makeSchemaReader(operation),
  strictBySchema: makeStrictSchemaReader(operation),
  shape: wire.read
})

const anotherMessage = fullValue("Message", 0)

const cases: ReadonlyArray<Case> = [
  {
    table: "Subscriber",
    ...readersOf(credentialsUpsertWire, registry["credentials.upsert"]),
    schema: registry["credentials.upsert"].read,
    bodyOf: (value) => value,
    recordOf: (body) => body
  },
  {
    table: "Message",
    ...readersOf(messagesMarkAsWire, registry["messages.markAs"]),
    schema: registry["messages.markAs"].read,
    bodyOf: (value) => [anotherMessage, value],
    recordOf: (body) => childOf(body, 1)
  },
  {
    table: "EventPage",
    ...readersOf(eventsListWire, registry["events.list"]),
    schema: registry["events.list"].read,
    bodyOf: (value) => value,
    recordOf: (body) => childOf(childOf(body, "data"), 0)
  }
]

const childOf = (value: unknown, key: string | number): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined

const junk = [null, true, 0, -1.5, "", "text", [], [null], {}, { surprise: 1 }]

/** Each part of a value replaced by each kind of junk, taken away, and with an unknown field, one at a time. */
const replacementsOf = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value !== "object" || value === null) return junk
  const inside = Object.entries(value).flatMap(([key, child]) =>
    replacementsOf(child).map((replacement) =>
      Array.isArray(value) ? value.with(Number(key), replacement) : Object.assign({}, value, { [key]: replacement })
    )
  )
  if (Array.isArray(value)) return [...junk, ...inside, [...value, "text"]]
  const without = Object.keys(value).map((key) =>
    Object.fromEntries(Object.entries(value).filter(([other]) => other !== key))
  )
  return [...junk, ...inside, ...without, { ...value, surprise: 1 }]
}

/** A random value with several parts replaced by junk. */
const damagedValue = (table: string, seed: number): unknown => {
  let value = randomValue(table, seed)
  for (let round = 0; round < 1 + (seed % 4); round++) {
    const replacements = replacementsOf(value)
    value = replacements[(seed * 7919 + round * 104_729) % replacements.length]
  }
  return value
}

/** A copy in which every step is a variant of a variant of the same step. */
const nested = (value: unknown, depth: number): unknown => {
  if (Array.isArray(value)) return value.map((element) => nested(element, depth))
  if (typeof value !== "object" || value === null) return value
  const copy = Object.fromEntries(Object.entries(value).map(([key, part]) => [key, nested(part, depth)]))
  if (!("_templateId" in copy) || !("filters" in copy)) return copy
  return Array.from({ length: depth }).reduce((inner) => ({ ...copy, variants: [inner] }), copy)
}

const alternatives = [0, 1, 2, 3]
const seeds = Array.from({ length: 100 }, (_, index) => index + 1)

const nameOf = ({ field, kind, path, table }: Mutation): string =>
  `${kind}: ${table}.${field} at ${JSON.stringify(path)}`

/** Compares with Node, which takes a tenth of the time, and describes a difference with the assertion. */
const same = (one: unknown, other: unknown): void => {
  if (!isDeepStrictEqual(one, other)) assert.deepStrictEqual(one, other)
}

describe("reading", () => {
  it.each(cases)("accepts every valid $table, strictly and not, without drift", ({ bodyOf, read, strict, table }) => {
    for (const value of [
      ...alternatives.map((alternative) => fullValue(table, alternative)),
      ...seeds.map((seed) => randomValue(table, seed))
    ]) {
      const body = bodyOf(value)
      const expected = Result.succeed({ value: body, unreadable: [], drift: [], driftCount: 0 })
      assert.deepStrictEqual<unknown>(read(body), expected)
      assert.deepStrictEqual<unknown>(strict(body), expected)
    }
  })

  it.each(cases)(
    "hands over a valid $table without a copy: it needs no decoding",
    ({ recordOf, read, bodyOf, table }) => {
      for (const value of alternatives.map((alternative) => fullValue(table, alternative))) {
        const body = bodyOf(value)
        const reading = Result.getOrThrow(read(body))
        assert.strictEqual(recordOf(reading.value), recordOf(body))
      }
    }
  )

  it.each(cases)(
    "leaves out the decoding of a $table only where it would change nothing",
    ({ bodyOf, schema, shape, table }) => {
      const walk = makeRecordWalker(shape)
      const decode = SchemaParser.decodeUnknownResult(schema)
      let exact = 0
      let inexact = 0
      for (const alternative of alternatives) {
        const valid = bodyOf(fullValue(table, alternative))
        for (const body of [
          valid,
          ...mutationsOf(table, alternative).map(({ value }) => bodyOf(value)),
          ...replacementsOf(valid)
        ]) {
          if (walk(body).isExact) {
            same(decode(body), Result.succeed(body))
            exact++
          } else inexact++
        }
      }
      assert.isAbove(exact, alternatives.length)
      assert.isAbove(inexact, alternatives.length)
    }
  )

  it.each(cases)("loses nothing of a $table in silence", ({ bodyOf, read, schema, table }) => {
    const is = Schema.is(schema)
    for (const mutation of alternatives.flatMap((alternative) => mutationsOf(table, alternative))) {
      const body = bodyOf(mutation.value)
      const before = JSON.stringify(body)
      const result = read(body)
      assert.strictEqual(JSON.stringify(body), before, nameOf(mutation))
      if (Result.isFailure(result)) {
        assert.isAbove(result.failure.issues.length, 0, nameOf(mutation))
        continue
      }
      const { drift, unreadable, value } = result.success
      assert.isTrue(is(value), nameOf(mutation))
      assert.isAbove(drift.length, 0, nameOf(mutation))
      assert.strictEqual(unreadable.length, drift.filter(({ kind }) => kind === "unreadable").length)
      // The fields around the records of a page are derived where they are absent.
      const derived = drift.filter(({ kind, path }) => kind === "missing-field" && Object.hasOwn(Object(value), path))
      const known = derived.map(({ path }) => [path, Reflect.get(Object(value), path)])
      const kept = table === "EventPage" ? { ...Object.fromEntries(known), ...Object(body) } : body
      if (unreadable.length === 0) assert.deepStrictEqual<unknown>(value, kept, nameOf(mutation))
      for (const { path, raw } of unreadable) assert.include(before, JSON.stringify(raw), `${nameOf(mutation)} ${path}`)
    }
  })

  it.each(cases)("refuses every mutation of a $table when strict", ({ bodyOf, strict, table }) => {
    for (const mutation of alternatives.flatMap((alternative) => mutationsOf(table, alternative))) {
      assert.isTrue(Result.isFailure(strict(bodyOf(mutation.value))), nameOf(mutation))
    }
  })

  it.each(cases)(
    "agrees with the schemas about every mutation of a $table: values, paths, rules, drift and their order",
    ({ bodyOf, read, readBySchema, strict, strictBySchema, table }) => {
      const mutated = alternatives.flatMap((alternative) => mutationsOf(table, alternative).map(({ value }) => value))
      const damaged = seeds.map((seed) => damagedValue(table, seed))
      const deep = damaged.map((value) => nested(value, 3))
      const bodies = [...mutated, ...damaged, ...deep].map(bodyOf)
      const inEnvelopes = [...damaged, ...seeds.map((seed) => randomValue(table, seed))].map((value) => ({
        data: bodyOf(value)
      }))
      for (const body of [...bodies, ...inEnvelopes]) {
        same(read(body), readBySchema(body))
        same(strict(body), strictBySchema(body))
      }
    },
    // Tens of thousands of comparisons take longer on a busy machine than the default allows.
    60_000
  )
})
