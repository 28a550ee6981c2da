import { assert, describe, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import { records } from "../../src/contract/Records.ts"
import * as ContractMessage from "../../src/contract/Message.ts"
import * as ContractSubscriber from "../../src/contract/Subscriber.ts"
import { registry } from "../../Registry.ts"
import { sourceNameOf } from "../../writeLists.ts"
import { relaxations } from "./Relaxations.ts"
import * as Schemas from "../../src/schemas/Schemas.ts"
import { type Mutation, mutationsOf } from "./Mutations.ts"
import { rowsOf, tableNames } from "./Table.ts"
import { fullValue, randomValue } from "./Values.ts"

type AnySchema = Schema.Codec<unknown, unknown>
type AnyStruct = AnySchema & { readonly fields: Schema.Struct.Fields }

const isStruct = (value: unknown): value is AnyStruct => Schema.isSchema(value) && "fields" in value

const structsOf = (...modules: ReadonlyArray<Readonly<Record<string, unknown>>>): ReadonlyMap<string, AnyStruct> =>
  new Map(
    modules.flatMap((module) =>
      Object.entries(module).flatMap(([name, value]) => (isStruct(value) ? [[name, value] as const] : []))
    )
  )

const inRequests = Object.fromEntries(
  Object.values(registry).flatMap(({ name, payload, query }) => [
    [`${sourceNameOf(name)}Payload`, payload],
    [`${sourceNameOf(name)}Query`, query]
  ])
)

const contract = structsOf(records, ContractMessage, ContractSubscriber, inRequests)

const read = structsOf(Schemas)

/** The top-level tables: bodies of responses and requests. */
const responses = Object.keys(records)
const requests = [...structsOf(inRequests).keys()]

/** The four shapes of step metadata are read as one. */
const metadataTables = ["RegularMetadata", "BackoffMetadata", "DigestTimedMetadata", "DelayScheduledMetadata"]

const schemaOf = (schemas: ReadonlyMap<string, AnyStruct>, name: string): AnyStruct => {
  const schema = schemas.get(name)
  if (schema === undefined) throw new Error(`There is no schema "${name}"`)
  return schema
}

const toIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const refusedAt = (schema: AnySchema, value: unknown): ReadonlyArray<string> => {
  const result = SchemaParser.decodeUnknownResult(schema)(value, { errors: "all" })
  if (Result.isSuccess(result)) return []
  return toIssues(result.failure).issues.map(({ path }) => JSON.stringify(path))
}

const accepts = (schema: AnySchema, value: unknown): boolean =>
  Result.isSuccess(SchemaParser.decodeUnknownResult(schema)(value))

const alternatives = [0, 1, 2, 3]

const describeMutation = ({ field, kind, path, table }: Mutation): string =>
  `${kind}: ${table}.${field} at ${JSON.stringify(path)}`

describe("fields", () => {
  it.each(tableNames.filter((name) => !requests.includes(name) && !metadataTables.includes(name)))(
    "of %s in the read schema are those of the contract",
    (name) => {
      const rows = rowsOf(name).map(({ field }) => field)
      assert.deepStrictEqual(Object.keys(schemaOf(read, name).fields).toSorted(), rows.toSorted())
    }
  )

  it("of step metadata in the read schema are those of all four tables", () => {
    const rows = new Set(metadataTables.flatMap(rowsOf).map(({ field }) => field))
    assert.deepStrictEqual(Object.keys(schemaOf(read, "StepMetadata").fields).toSorted(), [...rows].toSorted())
  })
})

describe("valid values", () => {
  const seeds = Array.from({ length: 150 }, (_, index) => index + 1)

  it.each([...responses, ...requests])("of %s decode and encode back to themselves", (table) => {
    const schema = schemaOf(contract, table)
    for (const value of [
      ...alternatives.map((alternative) => fullValue(table, alternative)),
      ...seeds.map((seed) => randomValue(table, seed))
    ]) {
      const decoded = Schema.decodeUnknownSync(schema)(value)
      assert.deepStrictEqual(decoded, value)
      assert.deepStrictEqual(Schema.encodeUnknownSync(schema)(decoded), value)
    }
  })

  it.each(responses)("of %s are read unchanged", (table) => {
    for (const value of [
      ...alternatives.map((alternative) => fullValue(table, alternative)),
      ...seeds.map((seed) => randomValue(table, seed))
    ]) {
      assert.deepStrictEqual(Schema.decodeUnknownSync(schemaOf(read, table))(value), value)
    }
  })

  it("differ from seed to seed and are the same for the same seed", () => {
    assert.deepStrictEqual(randomValue("EventPage", 3), randomValue("EventPage", 3))
    assert.notDeepEqual(randomValue("EventPage", 3), randomValue("EventPage", 4))
  })
})

describe("mutations", () => {
  it.each([...responses, ...requests])("of %s are refused by the contract at exactly that path", (table) => {
    const schema = schemaOf(contract, table)
    for (const mutation of alternatives.flatMap((alternative) => mutationsOf(table, alternative))) {
      assert.deepStrictEqual(
        refusedAt(schema, mutation.value),
        [JSON.stringify(mutation.path)],
        describeMutation(mutation)
      )
    }
  })

  it("reach every field", () => {
    const reached = new Set(
      [...responses, ...requests].flatMap((table) =>
        alternatives.flatMap((alternative) =>
          mutationsOf(table, alternative).map(({ field, table }) => `${table}.${field}`)
        )
      )
    )
    const all = tableNames.flatMap((table) => rowsOf(table).map(({ field }) => `${table}.${field}`))
    assert.deepStrictEqual(
      all.filter((field) => !reached.has(field)),
      []
    )
  })

  const isRelaxed = ({ field, kind, path, table }: Mutation): boolean =>
    kind === "outside" ||
    relaxations.some(
      (relaxation) =>
        relaxation.type === table &&
        // An element of an array is not the field itself.
        relaxation.field === (path.at(-1) === field ? field : `${field}[]`) &&
        kind === (relaxation.accepts === "absent" ? "dropped" : "null")
    )

  it.each(responses)("of %s are read where a relaxation or an open enumeration allows it, and only there", (table) => {
    const schema = schemaOf(read, table)
    for (const mutation of alternatives.flatMap((alternative) => mutationsOf(table, alternative))) {
      assert.strictEqual(accepts(schema, mutation.value), isRelaxed(mutation), describeMutation(mutation))
    }
  })

  it("use every relaxation of the list", () => {
    const used = new Set(
      responses.flatMap((table) =>
        alternatives.flatMap((alternative) =>
          mutationsOf(table, alternative)
            .filter((mutation) => mutation.kind !== "outside" && isRelaxed(mutation))
            .map(({ field, path, table }) => `${table}.${path.at(-1) === field ? field : `${field}[]`}`)
        )
      )
    )
    assert.deepStrictEqual([...used].toSorted(), relaxations.map(({ field, type }) => `${type}.${field}`).toSorted())
  })
})
