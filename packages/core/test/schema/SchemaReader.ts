import { positions } from "../../src/contract/Operations.ts"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaParser from "effect/SchemaParser"
import type { OperationName } from "../../src/contract/Operations.ts"
import * as BodyPath from "../../src/reading/BodyPath.ts"
import { type DriftEntry, makeUnreadable, type Unreadable } from "../../src/reading/DriftEntry.ts"
import { isJsonObject } from "../../src/reading/JsonObject.ts"
import { repairPage } from "../../src/reading/PageFields.ts"
import type { Reader, ReaderOptions, Reading, ReadingFailure } from "../../src/reading/Reader.ts"
import * as Vendor from "../../src/reading/Vendor.ts"
import { driftOf } from "./SchemaDrift.ts"
import { type Complaint, complaintsOf, salvage, valueAt } from "./SchemaSalvage.ts"

/** The parts of an operation that reading needs. */
interface Readable<A> {
  readonly name: OperationName
  readonly success: Schema.Codec<unknown, unknown>
  readonly read: Schema.Codec<A, unknown>
}

type AnyCodec = Schema.Codec<unknown, unknown>

const failure = (complaints: ReadonlyArray<Complaint>): Result.Result<never, ReadingFailure> =>
  Result.fail({ issues: complaints.map(({ path, rule }) => ({ path: BodyPath.format(path), rule })) })

/** The list of records in a page; a subscriber's field `data` is not a page. */
const dataOf = (ast: SchemaAST.AST): SchemaAST.AST | undefined => {
  const data = ast._tag === "Objects" ? ast.propertySignatures.find(({ name }) => name === "data")?.type : undefined
  return data?._tag === "Arrays" ? data : undefined
}

/** The schema of the records of a body that is a list of them, or has one; `undefined` for a body that is one record. */
const recordOf = (ast: SchemaAST.AST): AnyCodec | undefined => {
  const list = dataOf(ast) ?? ast
  return list._tag === "Arrays" && list.rest[0] !== undefined ? Schema.make<AnyCodec>(list.rest[0]) : undefined
}

/** The payload of a body, which may be alone in an envelope `{ "data": … }` unless it has such a field. */
const unwrap = (ast: SchemaAST.AST, body: unknown): unknown => {
  if (dataOf(ast) !== undefined || !isJsonObject(body) || Object.keys(body).join() !== "data") return body
  const { data } = body
  return (ast._tag === "Arrays" ? Array.isArray(data) : isJsonObject(data)) ? data : body
}

/** A part of a body that was read: a record, a list of them, or the object around the list. */
interface PartReading {
  readonly value: unknown
  readonly unreadable: ReadonlyArray<Unreadable>
  readonly drift: ReadonlyArray<DriftEntry>
}

const readPart = (
  schema: AnyCodec,
  part: unknown,
  path: BodyPath.BodyPath
): Result.Result<PartReading, ReadonlyArray<Complaint>> => {
  const decode = SchemaParser.decodeUnknownResult(schema)
  const whole = decode(part)
  if (Result.isSuccess(whole)) {
    return Result.succeed({ value: whole.success, unreadable: [], drift: driftOf(schema.ast, part, path) })
  }
  const complaints = complaintsOf(schema, part)
  const salvaged = salvage(schema, part, complaints, path)
  const rest = salvaged && decode(salvaged.rest)
  if (salvaged === undefined || rest === undefined || Result.isFailure(rest)) return Result.fail(complaints)
  const { sparse, unreadable } = salvaged
  return Result.succeed({ value: rest.success, unreadable, drift: driftOf(schema.ast, sparse, path) })
}

const ruleOf = (complaints: ReadonlyArray<Complaint>): string =>
  complaints.map(({ path, rule }) => (path.length === 0 ? rule : `${BodyPath.format(path)}: ${rule}`)).join("; ")

const readList = (schema: AnyCodec, list: ReadonlyArray<unknown>, path: BodyPath.BodyPath): PartReading => {
  const parts = list.map((record, index): PartReading => {
    const at = [...path, index]
    const unreadable = (complaints: ReadonlyArray<Complaint>): PartReading => ({
      value: undefined,
      unreadable: [makeUnreadable(BodyPath.format(at), ruleOf(complaints), record)],
      drift: []
    })
    return Result.getOrElse(readPart(schema, record, at), unreadable)
  })
  return {
    value: parts.map(({ value }) => value).filter((value) => value !== undefined),
    unreadable: parts.flatMap(({ unreadable }) => unreadable),
    drift: parts.flatMap(({ drift }) => drift)
  }
}

/** The reading of a body that `part` is all of; its value was decoded by the read schema of the operation, or its parts. */
const readingOf = <A>({ drift, unreadable, value }: PartReading): Result.Result<Reading<A>> => {
  const all = [...drift, ...unreadable.map(({ path, rule }) => ({ kind: "unreadable", path, rule }) as const)]
  return Result.succeed({ value: value as A, unreadable, drift: all, driftCount: all.length })
}

/**
 * Makes the tolerant reader of an operation. It works like `makeReader`, but with schemas instead of generated tables,
 * and without regard to speed. Tests compare the two.
 */
export const makeSchemaReader = <A>(
  { name, read }: Readable<A>,
  { vendor = Vendor.neutral }: ReaderOptions = {}
): Reader<A> => {
  const record = recordOf(read.ast)
  const isList = read.ast._tag === "Arrays"
  return (body) => {
    const payload = Vendor.responseFromWire(positions[name], vendor, unwrap(read.ast, body))
    if (record === undefined) {
      return Result.match(readPart(read, payload, []), { onFailure: failure, onSuccess: readingOf<A> })
    }
    const list = isList ? payload : valueAt(payload, ["data"])
    if (!Array.isArray(list)) return failure(complaintsOf(read, payload))
    if (isList) return readingOf(readList(record, list, []))
    const readAround = (page: unknown) => readPart(read, Object.assign({}, page, { data: [] }), [])
    const first = readAround(payload)
    const repaired = repairPage(Object(payload), list.length, Result.isFailure(first) ? first.failure : [])
    return Result.match(readAround(repaired.page), {
      onFailure: failure,
      onSuccess: (around) => {
        const inside = readList(record, list, ["data"])
        return readingOf<A>({
          value: Object.assign({}, around.value, { data: inside.value }),
          unreadable: [...around.unreadable, ...repaired.unreadable, ...inside.unreadable],
          drift: [...repaired.drift, ...around.drift, ...inside.drift]
        })
      }
    })
  }
}

const strictRules = {
  "unknown-enum-value": "Expected a value that the API document knows",
  "unknown-field": "Expected no field that the API document does not know",
  "missing-field": "Missing key"
} as const

/**
 * Makes the strict reader of an operation: it fails on any drift and on all that the contract schema refuses.
 */
export const makeStrictSchemaReader = <A>(operation: Readable<A>): Reader<A> => {
  const read = makeSchemaReader(operation)
  return (body) =>
    Result.flatMap(read(body), (reading) => {
      if (reading.drift.length > 0) {
        const issues = reading.drift.map((entry) => ({
          path: entry.path,
          rule: entry.kind === "unreadable" ? entry.rule : strictRules[entry.kind]
        }))
        return Result.fail({ issues })
      }
      // Some relaxations are expected and not drift; the contract has no relaxations.
      const complaints = complaintsOf(operation.success, unwrap(operation.read.ast, body))
      return complaints.length > 0 ? failure(complaints) : Result.succeed(reading)
    })
}
