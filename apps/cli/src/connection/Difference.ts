/**
 * Differences between responses and the API document, each place once.
 */
import type { DriftEntry, DriftReport } from "@signalbox/core/Drift"
import { isOperationName, type OperationName } from "@signalbox/core/Operations"
import { identifierFromWire } from "@signalbox/core/Vendor"
import { counted } from "@signalbox/operator/text/Counted"

/** A difference at one place of an operation's responses. */
export interface Difference {
  readonly operation: OperationName
  readonly kind: DriftEntry["kind"]
  /** The path in the body; `[]` stands for every element. */
  readonly path: string
  /** The value that the document does not list. */
  readonly value?: string
}

/** Differences with how often they were seen, by {@link keyOf}. */
export type Differences = Map<string, { readonly difference: Difference; readonly count: number }>

/** The identity of a difference. */
export const keyOf = ({ kind, operation, path, value = "" }: Difference): string =>
  [operation, kind, path, value].join(" ")

/** Bounded, in case a service generates names of fields. */
const maxDifferences = 1000

const maxValueLength = 100

const differenceOf = (operation: OperationName, entry: DriftEntry): Difference => ({
  operation,
  kind: entry.kind,
  path: entry.path.replaceAll(/\[\d+\]/gu, "[]"),
  ...(entry.kind === "unknown-enum-value" ? { value: String(entry.value).slice(0, maxValueLength) } : {})
})

/** Adds the differences of a response. */
export const addReport = (differences: Differences, { entries, operation, unreadable }: DriftReport): void => {
  if (!isOperationName(operation)) return
  // A report has a limited number of entries, and the unreadable parts are the last of them.
  const parts = unreadable.map(({ path, rule }) => ({ kind: "unreadable", path, rule }) as const)
  for (const entry of [...entries.filter(({ kind }) => kind !== "unreadable"), ...parts]) {
    const difference = differenceOf(operation, entry)
    const key = keyOf(difference)
    const count = differences.get(key)?.count ?? 0
    if (count > 0 || differences.size < maxDifferences) differences.set(key, { difference, count: count + 1 })
  }
}

/** Whether a value is one of the document once the vendor is known. */
export const isOfVendor = ({ value = "" }: Difference, vendor: string): boolean =>
  identifierFromWire(vendor, value) !== value

/** Removes the values that are the document's once the vendor is known. */
export const removeOfVendor = (differences: Differences, vendor: string): void => {
  for (const [key, { difference }] of differences) if (isOfVendor(difference, vendor)) differences.delete(key)
}

/** The differences without their counts. */
export const listOf = (differences: Differences): ReadonlyArray<Difference> =>
  Array.from(differences.values(), ({ difference }) => difference)

/**
 * News for the user: new differences, and the parts that cannot be read, which are missing in each response anew.
 */
export const newsIn = (
  differences: ReadonlyArray<Difference>,
  known: ReadonlyArray<Difference>
): ReadonlyArray<Difference> => {
  const keys = new Set(known.map(keyOf))
  return differences.filter((difference) => difference.kind === "unreadable" || !keys.has(keyOf(difference)))
}

/** How many differences there are, and what is missing in the output because of them. */
export const summaryOf = (differences: ReadonlyArray<Difference>): string => {
  const count = (kind: Difference["kind"]) => differences.filter((each) => each.kind === kind).length
  const fields = count("unknown-field")
  const parts = count("unreadable")
  const leftOut = [
    ...(fields === 0 ? [] : [counted(fields, "unknown field")]),
    ...(parts === 0 ? [] : [counted(parts, "unreadable part")])
  ]
  const differs = `${counted(differences.length, "difference")} from the API document`
  return leftOut.length === 0 ? differs : `${differs}, ${leftOut.join(" and ")} left out`
}
