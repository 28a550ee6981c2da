/**
 * A request that a test expects by its content, and how a received request differs from it.
 */
import { isSecretName, redact, redactTextOf } from "@signalbox/core/Redaction"
import * as Schema from "effect/Schema"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { sentBy } from "../journal/OpenEntry.ts"
import { isJsonObject } from "../state/JsonObject.ts"
import { type ExpectationTarget, targetFields } from "./ExpectationTarget.ts"

/** The value of a query parameter: one, or several in any order. */
type QueryValue = string | number | boolean | ReadonlyArray<string | number>

/** The content of an expected request; what is left out matches anything. */
export interface ExpectedRequest extends ExpectationTarget {
  /**
   * A part of the JSON body: fields that are left out match anything, lists have as many elements as expected. Secrets are
   * compared too, and are not shown.
   */
  readonly body?: unknown
  /** Some parameters of the query. Any encoding of several values counts. */
  readonly query?: Readonly<Record<string, QueryValue>>
  /** Some headers; their names in any case. */
  readonly headers?: Readonly<Record<string, string>>
}

const Scalar = Schema.Union([Schema.String, Schema.Finite, Schema.Boolean])

/** The schema of an expected request. @internal */
export const ExpectedRequestInput = Schema.Struct({
  ...targetFields,
  body: Schema.optionalKey(Schema.Unknown),
  query: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Union([Scalar, Schema.Array(Schema.Union([Schema.String, Schema.Finite]))]))
  ),
  headers: Schema.optionalKey(Schema.Record(Schema.String, Schema.String))
})

const shown = (value: unknown): string => {
  const text = value === undefined ? "nothing" : (JSON.stringify(value) ?? String(value))
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`
}

/** A difference in one line. Two values that are equal once secrets are removed differ in a secret. */
const line = (place: string, expected: unknown, received: unknown): string => {
  const [one, other] = [shown(expected), shown(received)]
  return one === other ? `${place}: another secret than expected` : `${place}: expected ${one}, received ${other}`
}

/** The part of a redacted value at a path, or the placeholder that replaces it. */
const partAt = (value: unknown, path: ReadonlyArray<string>): unknown => {
  let part = value
  for (const name of path) {
    if (typeof part === "string") return part
    part = typeof part === "object" && part !== null ? Reflect.get(part, name) : undefined
  }
  return part
}

/** The paths at which a value does not have what is expected. */
const differingPaths = (
  expected: unknown,
  received: unknown,
  path: ReadonlyArray<string>
): Array<ReadonlyArray<string>> => {
  if (Array.isArray(expected)) {
    if (!Array.isArray(received) || received.length !== expected.length) return [path]
    return expected.flatMap((part, index) => differingPaths(part, received[index], [...path, String(index)]))
  }
  if (isJsonObject(expected)) {
    if (!isJsonObject(received)) return [path]
    return Object.entries(expected).flatMap(([name, part]) => differingPaths(part, received[name], [...path, name]))
  }
  return Object.is(expected, received) ? [] : [path]
}

const bodyDifferences = (expected: unknown, entry: JournalEntry): ReadonlyArray<string> => {
  const { body } = sentBy(entry)
  if (body._tag === "Omitted") return [`body: the journal does not keep it (${body.reason})`]
  const [redacted, sent] = [redact(expected), redact(body.value)]
  return differingPaths(expected, body.value, []).map((path) =>
    line(["body", ...path].join("."), partAt(redacted, path), partAt(sent, path))
  )
}

const valuesOf = (query: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const values = new Map<string, ReadonlyArray<string>>()
  for (const [written, value] of new URLSearchParams(query)) {
    const name = written.replace(/\[\d*\]$/u, "")
    values.set(name, [...(values.get(name) ?? []), value])
  }
  return values
}

const queryDifferences = (
  expected: NonNullable<ExpectedRequest["query"]>,
  entry: JournalEntry
): ReadonlyArray<string> => {
  const sent = valuesOf(sentBy(entry).query)
  return Object.entries(expected).flatMap(([name, wanted]) => {
    const several = Array.isArray(wanted)
    const values = (several ? wanted : [wanted]).map(String).toSorted()
    const received = (sent.get(name) ?? []).flatMap((value) => (several ? value.split(",") : [value])).toSorted()
    if (values.join("\n") === received.join("\n")) return []
    const hidden = (list: ReadonlyArray<string>) =>
      isSecretName(name) ? "<redacted>" : list.length === 0 ? undefined : redactTextOf(list.join(","), [])
    return [line(`query.${name}`, hidden(values), hidden(received))]
  })
}

const headerDifferences = (
  expected: NonNullable<ExpectedRequest["headers"]>,
  entry: JournalEntry
): ReadonlyArray<string> => {
  const sent = new Map(sentBy(entry).headers)
  return Object.entries(expected).flatMap(([written, wanted]) => {
    const name = written.toLowerCase()
    const received = sent.get(name)
    if (received === wanted) return []
    const hidden = (value: string | undefined) =>
      value !== undefined && isSecretName(name) ? "<redacted>" : value === undefined ? value : redactTextOf(value, [])
    return [line(`headers.${name}`, hidden(wanted), hidden(received))]
  })
}

/** Every difference of a received request from the expected content, one in a line, without secrets. */
export const differencesFrom = (
  { body, headers, query }: Omit<ExpectedRequest, "operation">,
  entry: JournalEntry
): ReadonlyArray<string> => [
  ...(body === undefined ? [] : bodyDifferences(body, entry)),
  ...(query === undefined ? [] : queryDifferences(query, entry)),
  ...(headers === undefined ? [] : headerDifferences(headers, entry))
]
