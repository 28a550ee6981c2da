import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaParser from "effect/SchemaParser"
import { type DriftEntry, makeUnreadable, type Unreadable } from "../../src/reading/DriftEntry.ts"
import type { OperationName } from "../../src/contract/Operations.ts"
import type { Reader, ReaderOptions, Reading, ReadingFailure } from "../../src/reading/Reader.ts"
import * as Vendor from "../../src/reading/Vendor.ts"
import * as BodyPath from "../../src/reading/BodyPath.ts"
import { makeRecordWalker } from "./SchemaWalker.ts"
import { type Complaint, complaintsOf, salvage } from "./SchemaSalvage.ts"
import { isJsonObject } from "../../src/reading/JsonObject.ts"

/** What reading needs of an operation. */
interface Readable<A> {
  readonly name: OperationName
  readonly success: Schema.Codec<unknown, unknown>
  readonly read: Schema.Codec<A, unknown>
}

const failure = (complaints: ReadonlyArray<Complaint>): Result.Result<never, ReadingFailure> =>
  Result.fail({ issues: complaints.map(({ path, rule }) => ({ path: BodyPath.format(path), rule })) })

/** Where the records of a body are: it is one, it is a list of them, or its field `data` is. */
type Records = "body" | "elements" | "data"

interface Layout {
  readonly records: Records
  readonly record: SchemaAST.AST
}

const layoutOf = (ast: SchemaAST.AST): Layout => {
  if (ast._tag === "Arrays" && ast.rest[0]) return { records: "elements", record: ast.rest[0] }
  if (ast._tag === "Objects") {
    const data = ast.propertySignatures.find(({ name, type }) => name === "data" && !type.context?.isOptional)?.type
    if (data?._tag === "Arrays" && data.rest[0]) return { records: "data", record: data.rest[0] }
  }
  return { records: "body", record: ast }
}

/**
 * The payload of a body: both wire forms exist, the payload itself and an object with the single key `data`.
 *
 * Never unwrapped when the payload itself has a `data` field, nor when `data` is of another kind than the payload.
 */
const unwrap = (records: Records, body: unknown): unknown => {
  if (records === "data" || !isJsonObject(body) || !("data" in body) || Object.keys(body).length !== 1) return body
  const fits = records === "elements" ? Array.isArray(body["data"]) : isJsonObject(body["data"])
  return fits ? body["data"] : body
}

const listIn = (records: Records, payload: unknown): unknown => {
  if (records === "elements") return payload
  return isJsonObject(payload) ? payload["data"] : undefined
}

/** Makes what takes the payload out of a body, in neutral words. */
const makePayloadOf = (
  { name, read }: Readable<unknown>,
  { vendor = Vendor.neutral }: ReaderOptions
): ((body: unknown) => unknown) => {
  const { records } = layoutOf(read.ast)
  return (body) => Vendor.responseFromWire(name, vendor, unwrap(records, body))
}

/** A part of a body that was read: a record, a list of them, or the object around the list. */
interface PartReading {
  readonly value: unknown
  readonly unreadable: ReadonlyArray<Unreadable>
  readonly drift: ReadonlyArray<DriftEntry>
}

type RecordReader = (record: unknown, path: BodyPath.BodyPath) => Result.Result<PartReading, ReadonlyArray<Complaint>>

const makeRecordReader = (schema: Schema.Codec<unknown, unknown>): RecordReader => {
  const decode = SchemaParser.decodeUnknownResult(schema)
  const walk = makeRecordWalker(schema)
  return (record, path) => {
    const { drift, isExact } = walk(record, path)
    if (isExact) return Result.succeed({ value: record, unreadable: [], drift })
    const whole = decode(record)
    if (Result.isSuccess(whole)) return Result.succeed({ value: whole.success, unreadable: [], drift })
    const complaints = complaintsOf(schema, record)
    const salvaged = salvage(schema, record, complaints, path)
    const rest = salvaged && decode(salvaged.rest)
    if (salvaged === undefined || rest === undefined || Result.isFailure(rest)) return Result.fail(complaints)
    return Result.succeed({
      value: rest.success,
      unreadable: salvaged.unreadable,
      drift: walk(salvaged.sparse, path).drift
    })
  }
}

const readRecords = (records: ReadonlyArray<unknown>, read: RecordReader, path: BodyPath.BodyPath): PartReading => {
  const values: Array<unknown> = []
  const unreadable: Array<Unreadable> = []
  const drift: Array<DriftEntry> = []
  for (let index = 0; index < records.length; index++) {
    const at = [...path, index]
    const result = read(records[index], at)
    if (Result.isSuccess(result)) {
      values.push(result.success.value)
      unreadable.push(...result.success.unreadable)
      drift.push(...result.success.drift)
    } else {
      unreadable.push(makeUnreadable(BodyPath.format(at), ruleOf(result.failure), records[index]))
    }
  }
  return { value: values, unreadable, drift }
}

const ruleOf = (complaints: ReadonlyArray<Complaint>): string =>
  complaints.map(({ path, rule }) => (path.length === 0 ? rule : `${BodyPath.format(path)}: ${rule}`)).join("; ")

/** The reading of a body that `part` is all of; its value was decoded by the read schema of the operation, or its parts. */
const readingOf = <A>({ drift, unreadable, value }: PartReading): Result.Result<Reading<A>> => {
  const all = [...drift, ...unreadable.map(({ path, rule }) => ({ kind: "unreadable", path, rule }) as const)]
  return Result.succeed({ value: value as A, unreadable, drift: all, driftCount: all.length })
}

/**
 * Makes the tolerant reader of an operation.
 *
 * It decodes record by record, so that one bad record costs no other; removes what does not decode at the nearest
 * enclosing array element or optional field; and reports all drift. It fails only when nothing can be salvaged.
 * Paths are those of the payload: the envelope `{ "data": … }` does not show in them.
 */
export const makeSchemaReader = <A>(operation: Readable<A>, options: ReaderOptions = {}): Reader<A> => {
  const { record, records } = layoutOf(operation.read.ast)
  const readRecord = makeRecordReader(Schema.make<Schema.Codec<unknown, unknown>>(record))
  const readWhole = makeRecordReader(operation.read)
  const payloadOf = makePayloadOf(operation, options)
  return (body) => {
    const payload = payloadOf(body)
    if (records === "body")
      return Result.match(readRecord(payload, []), { onFailure: failure, onSuccess: readingOf<A> })
    const list = listIn(records, payload)
    if (!Array.isArray(list)) return failure(complaintsOf(operation.read, payload))
    if (records === "elements") return readingOf(readRecords(list, readRecord, []))
    return Result.match(readWhole(Object.assign({}, payload, { data: [] }), []), {
      onFailure: failure,
      onSuccess: (around) => {
        const inside = readRecords(list, readRecord, ["data"])
        return readingOf<A>({
          value: Object.assign({}, around.value, { data: inside.value }),
          unreadable: [...around.unreadable, ...inside.unreadable],
          drift: [...around.drift, ...inside.drift]
        })
      }
    })
  }
}

/**
 * Makes the strict reader of an operation: it fails on any drift and on all that the contract schema refuses.
 */
export const makeStrictSchemaReader = <A>(operation: Readable<A>, options: ReaderOptions = {}): Reader<A> => {
  const read = makeSchemaReader(operation, options)
  const payloadOf = makePayloadOf(operation, options)
  return (body) =>
    Result.flatMap(read(body), (reading) => {
      if (reading.drift.length > 0) {
        return Result.fail({
          issues: reading.drift.map((entry) => ({ path: entry.path, rule: strictRule(entry) }))
        })
      }
      // Some relaxations are expected and not drift; the contract has no relaxations.
      const complaints = complaintsOf(operation.success, payloadOf(body))
      return complaints.length > 0 ? failure(complaints) : Result.succeed(reading)
    })
}

const strictRule = (entry: DriftEntry): string => {
  switch (entry.kind) {
    case "unknown-enum-value":
      return "Expected a value that the API document knows"
    case "unknown-field":
      return "Expected no field that the API document does not know"
    case "missing-field":
      return "Missing key"
    case "unreadable":
      return entry.rule
  }
}
