/**
 * A request that a test expects by its content, and how a received request differs from it.
 */
import { isSecretName, redactTextOf } from "@signalbox/core/Redaction"
import * as Schema from "effect/Schema"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { sentBy } from "../journal/OpenEntry.ts"
import { differenceLine, differencesIn } from "./Difference.ts"
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

const bodyDifferences = (expected: unknown, entry: JournalEntry): ReadonlyArray<string> => {
  const { body } = sentBy(entry)
  if (body._tag === "Omitted") return [`body: the journal does not keep it (${body.reason})`]
  return differencesIn("body", expected, body.value, "expected")
}

const valuesOf = (query: string): ReadonlyMap<string, ReadonlyArray<string>> => {
  const values = new Map<string, ReadonlyArray<string>>()
  for (const [written, value] of new URLSearchParams(query)) {
    const name = written.replace(/\[\d*\]$/u, "")
    values.set(name, [...(values.get(name) ?? []), value])
  }
  return values
}

const withoutSecrets = (name: string, value: string | undefined): string | undefined => {
  if (value === undefined) return undefined
  return isSecretName(name) ? "<redacted>" : redactTextOf(value, [])
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
    const shown = (list: ReadonlyArray<string>) => withoutSecrets(name, list.length === 0 ? undefined : list.join(","))
    return [differenceLine(`query.${name}`, shown(values), shown(received))]
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
    return [differenceLine(`headers.${name}`, withoutSecrets(name, wanted), withoutSecrets(name, received))]
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
