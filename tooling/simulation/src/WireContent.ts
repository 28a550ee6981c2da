/**
 * Compares values with the JSON that the service sent.
 */
import type { CallInfo } from "@signalbox/core/CallInfo"
import type { AnyOperationName } from "@signalbox/core/Operations"
import type { Recording } from "./Recorder.ts"

/** A response, and what the client reported about it. */
interface ReadResponse extends Pick<CallInfo, "operation" | "unreadable"> {
  readonly text: string
  /** Paths of the unknown fields, which are not in the value, with `[]` for every index. */
  readonly removed: ReadonlySet<string>
  /** Paths of the missing fields; those around the records of a page are in the value, derived from the records. */
  readonly missing: ReadonlySet<string>
  readonly vendor: string
}

/** A value of a response, and its path in it. */
interface Part {
  readonly value: unknown
  readonly path: string
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null

const isSameString = (value: string, sent: string, vendor: string): boolean =>
  value === sent || value === sent.replace(new RegExp(`^${vendor}(?=-|$)`, "u"), "service")

const join = (path: string, key: string, isIndex: boolean): string =>
  isIndex ? `${path}[${key}]` : path === "" ? key : `${path}.${key}`

/** A path for all records of a list: reports are limited, so one entry stands for the same field of every record. */
const anyIndex = (path: string): string => path.replaceAll(/\[\d+\]/gu, "[]")

/**
 * Whether a value has exactly what the service sent. Only identifiers of the vendor may differ, only the unknown fields
 * that the client reported may be absent, and only fields of a page that it reported as missing may be added.
 */
const isSame = (value: unknown, part: Part, { missing, removed, vendor }: ReadResponse): boolean => {
  const compare = (found: unknown, sent: unknown, path: string): boolean => {
    if (typeof found === "string" && typeof sent === "string") return isSameString(found, sent, vendor)
    if (!isObject(found) || !isObject(sent)) return Object.is(found, sent)
    const isArray = Array.isArray(sent)
    const expected = Object.keys(sent).filter((key) => !removed.has(anyIndex(join(path, key, isArray))))
    const kept = Object.keys(found).filter((key) => path !== "" || Object.hasOwn(sent, key) || !missing.has(key))
    return (
      Array.isArray(found) === isArray &&
      kept.length === expected.length &&
      expected.every((key) => Object.hasOwn(found, key) && compare(found[key], sent[key], join(path, key, isArray)))
    )
  }
  return compare(value, part.value, part.path)
}

/** The value of a response: its JSON without the envelope `data`, which listings need for their records. */
const payloadOf = (operation: AnyOperationName, text: string): unknown => {
  const body: unknown = JSON.parse(text)
  const isEnvelope = operation !== "events.list" && isObject(body) && Object.keys(body).length === 1 && "data" in body
  return isEnvelope ? body["data"] : body
}

const responsesOf = ({ infos, watch }: Recording, vendor: string): ReadonlyArray<ReadResponse> =>
  infos.flatMap(({ drift, operation, requestId, unreadable }) => {
    const removed = new Set(drift.flatMap(({ kind, path }) => (kind === "unknown-field" ? [anyIndex(path)] : [])))
    const missing = new Set(drift.flatMap(({ kind, path }) => (kind === "missing-field" ? [path] : [])))
    const text = watch.responses.find((response) => response.requestId === requestId)?.text
    return text === undefined ? [] : [{ operation, unreadable, removed, missing, text, vendor }]
  })

/** Whether the value of a call has exactly what the service sent; a value with unreadable parts is not compared. */
export const isAsSent = (value: unknown, recording: Recording, vendor: string): boolean =>
  responsesOf(recording, vendor).every(
    (response) =>
      response.unreadable.length > 0 ||
      isSame(value, { value: payloadOf(response.operation, response.text), path: "" }, response)
  )

const recordsOf = ({ operation, text }: ReadResponse): ReadonlyArray<Part> => {
  const payload = payloadOf(operation, text)
  const [records, path] = isObject(payload) && !Array.isArray(payload) ? [payload["data"], "data"] : [payload, ""]
  return Array.isArray(records) ? records.map((value: unknown, index) => ({ value, path: `${path}[${index}]` })) : []
}

/** The records that differ from what the service sent in every response with a record of the same id. */
export const differingRecords = <Record extends { readonly _id?: string }>(
  records: ReadonlyArray<Record>,
  recording: Recording,
  vendor: string
): ReadonlyArray<Record> => {
  const responses = responsesOf(recording, vendor)
  if (responses.some(({ unreadable }) => unreadable.length > 0)) return []
  const sent = new Map<unknown, Array<{ readonly part: Part; readonly response: ReadResponse }>>()
  for (const response of responses) {
    for (const part of recordsOf(response)) {
      const id = isObject(part.value) ? part.value["_id"] : undefined
      sent.set(id, [...(sent.get(id) ?? []), { part, response }])
    }
  }
  return records.filter(
    (record) => sent.get(record._id)?.some(({ part, response }) => isSame(record, part, response)) !== true
  )
}
