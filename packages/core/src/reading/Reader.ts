import * as Result from "effect/Result"
import { type DriftEntry, makeUnreadable, type Unreadable } from "./DriftEntry.ts"
import * as Vendor from "./Vendor.ts"
import * as BodyPath from "./BodyPath.ts"
import { makeRecordWalker } from "./RecordWalker.ts"
import { type Issue, issuesOf, knownPartsOf } from "./Issues.ts"
import { repairPage } from "./PageFields.ts"
import { salvage } from "./Salvage.ts"
import type { OperationWire, Shape } from "../contract/Shape.ts"
import { isJsonObject } from "./JsonObject.ts"

/** Options of {@link makeReader}. */
export interface ReaderOptions {
  /** The vendor's name in provider and origin identifiers on the wire. */
  readonly vendor?: string
}

/** A body that was read, at least in part. */
export interface Reading<A> {
  readonly value: A
  /** The parts that could not be decoded; they are not in the value. The first 10,000. */
  readonly unreadable: ReadonlyArray<Unreadable>
  /** Differences from the document, unreadable parts included; the first 100 entries. */
  readonly drift: ReadonlyArray<DriftEntry>
  /** How many differences there are. */
  readonly driftCount: number
}

/** The most entries that a report has: a body with a million unknown fields must not make a million entries. */
const reportLimit = 100

/**
 * The most parts that were left out. The caller has no other way to find out what the value lacks: a page of 50 events in
 * which no job can be read must not report half of them.
 */
const unreadableLimit = 10_000

/** Appends as many entries as fit. */
const append = <Entry>(report: Array<Entry>, entries: ReadonlyArray<Entry>, limit: number): void => {
  for (const entry of entries) {
    if (report.length >= limit) return
    report.push(entry)
  }
}

/** A body that could not be read at all. */
export interface ReadingFailure {
  /** The expected values and their positions, at least one. */
  readonly issues: ReadonlyArray<{ readonly path: string; readonly rule: string }>
}

/** Reads the parsed JSON body of a 2xx response. */
export type Reader<A> = (body: unknown) => Result.Result<Reading<A>, ReadingFailure>

const failure = (issues: ReadonlyArray<Issue>): Result.Result<never, ReadingFailure> =>
  Result.fail({ issues: issues.slice(0, reportLimit).map(({ path, rule }) => ({ path: BodyPath.format(path), rule })) })

/** Where the records of a body are: the body is one record, a list of them, or has the list in its field `data`. */
type Records = "body" | "elements" | "data"

interface Layout {
  readonly records: Records
  readonly record: Shape
}

const layoutOf = (shape: Shape): Layout => {
  if (typeof shape === "object" && "items" in shape) return { records: "elements", record: shape.items }
  if (typeof shape === "object" && "fields" in shape) {
    const data = shape.fields["data"]
    if (typeof data === "object" && "items" in data) return { records: "data", record: data.items }
  }
  return { records: "body", record: shape }
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

/** Makes a function that returns the payload of a body, with the neutral vendor's identifiers. */
const makePayloadOf = (
  { positions, read }: OperationWire,
  { vendor = Vendor.neutral }: ReaderOptions
): ((body: unknown) => unknown) => {
  const { records } = layoutOf(read)
  return (body) => Vendor.responseFromWire(positions, vendor, unwrap(records, body))
}

/** A part of a body that was read: a record, a list of them, or the object around the list. */
interface PartReading {
  readonly value: unknown
  readonly unreadable: ReadonlyArray<Unreadable>
  readonly drift: ReadonlyArray<DriftEntry>
  /** How many entries there are, where `unreadable` and `drift` do not have all. */
  readonly count?: number
}

type RecordReader = (record: unknown, path: BodyPath.BodyPath) => Result.Result<PartReading, ReadonlyArray<Issue>>

const makeRecordReader = (shape: Shape): RecordReader => {
  const walk = makeRecordWalker(shape)
  return (record, path) => {
    const { drift, isExact } = walk(record, path)
    const issues = isExact ? [] : issuesOf(shape, record)
    if (issues.length === 0) {
      return Result.succeed({ value: isExact ? record : knownPartsOf(shape, record), unreadable: [], drift })
    }
    const salvaged = salvage(shape, record, issues, path)
    if (salvaged === undefined || issuesOf(shape, salvaged.rest).length > 0) return Result.fail(issues)
    return Result.succeed({
      value: knownPartsOf(shape, salvaged.rest),
      unreadable: salvaged.unreadable,
      drift: walk(salvaged.sparse, path).drift
    })
  }
}

const readRecords = (records: ReadonlyArray<unknown>, read: RecordReader, path: BodyPath.BodyPath): PartReading => {
  const values: Array<unknown> = []
  const unreadable: Array<Unreadable> = []
  const drift: Array<DriftEntry> = []
  let count = 0
  for (let index = 0; index < records.length; index++) {
    const at = [...path, index]
    const result = read(records[index], at)
    if (Result.isSuccess(result)) {
      values.push(result.success.value)
      append(unreadable, result.success.unreadable, unreadableLimit)
      append(drift, result.success.drift, reportLimit)
      count += countOf(result.success)
    } else {
      if (unreadable.length < unreadableLimit) {
        unreadable.push(makeUnreadable(BodyPath.format(at), ruleOf(result.failure), records[index]))
      }
      count += 1
    }
  }
  return { value: values, unreadable, drift, count }
}

const countOf = ({ count, drift, unreadable }: PartReading): number => count ?? drift.length + unreadable.length

const ruleOf = (issues: ReadonlyArray<Issue>): string =>
  issues
    .slice(0, reportLimit)
    .map(({ path, rule }) => (path.length === 0 ? rule : `${BodyPath.format(path)}: ${rule}`))
    .join("; ")

/** The result for a body that consists of `part`; the read schema of the operation, or of its parts, decoded the value. */
const readingOf = <A>(part: PartReading): Result.Result<Reading<A>> => {
  const unreadable = part.unreadable.slice(0, unreadableLimit)
  const drift = part.drift.slice(0, reportLimit)
  append(
    drift,
    unreadable.slice(0, reportLimit).map(({ path, rule }) => ({ kind: "unreadable", path, rule }) as const),
    reportLimit
  )
  return Result.succeed({ value: part.value as A, unreadable, drift, driftCount: countOf(part) })
}

/**
 * Makes the tolerant reader of an operation.
 *
 * It decodes record by record, so that a bad record does not affect the others; removes what cannot be decoded at the nearest
 * enclosing array element or optional field; derives the fields around the records of a page where they cannot be read; and
 * reports all drift. It fails only when nothing can be salvaged.
 * Paths are those of the payload: the envelope `{ "data": … }` is not part of them.
 */
export const makeReader = <A>(wire: OperationWire<A>, options: ReaderOptions = {}): Reader<A> => {
  const { read } = wire
  const { record, records } = layoutOf(read)
  const readRecord = makeRecordReader(record)
  const readWhole = makeRecordReader(read)
  const payloadOf = makePayloadOf(wire, options)
  return (body) => {
    const payload = payloadOf(body)
    if (records === "body") {
      const read = readRecord(payload, [])
      return Result.isFailure(read) ? failure(read.failure) : readingOf(read.success)
    }
    const list = listIn(records, payload)
    if (!Array.isArray(list)) return failure(issuesOf(read, payload))
    if (records === "elements") return readingOf(readRecords(list, readRecord, []))
    const readAround = (page: unknown) => readWhole(Object.assign({}, page, { data: [] }), [])
    const readPage = (around: PartReading) => {
      const inside = readRecords(list, readRecord, ["data"])
      return readingOf<A>({
        value: Object.assign({}, around.value, { data: inside.value }),
        unreadable: around.unreadable.concat(inside.unreadable),
        drift: around.drift.concat(inside.drift),
        count: countOf(around) + countOf(inside)
      })
    }
    const around = readAround(payload)
    if (Result.isSuccess(around)) return readPage(around.success)
    const { drift, page, unreadable } = repairPage(Object(payload), list.length, around.failure)
    const repaired = readAround(page)
    if (Result.isFailure(repaired)) return failure(repaired.failure)
    const { drift: found, value } = repaired.success
    return readPage({ value, unreadable, drift: drift.concat(found) })
  }
}

/**
 * Makes the strict reader of an operation: it fails on any drift and on everything that the contract schema rejects.
 */
export const makeStrictReader = <A>(wire: OperationWire<A>, options: ReaderOptions = {}): Reader<A> => {
  const read = makeReader(wire, options)
  const payloadOf = makePayloadOf(wire, options)
  return (body) => {
    const reading = read(body)
    if (Result.isFailure(reading)) return reading
    const { drift } = reading.success
    if (drift.length > 0) {
      return Result.fail({ issues: drift.map((entry) => ({ path: entry.path, rule: strictRule(entry) })) })
    }
    // Some relaxations are expected and not drift; the contract has no relaxations.
    const issues = issuesOf(wire.read, payloadOf(body), { isStrict: true })
    return issues.length > 0 ? failure(issues) : reading
  }
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
