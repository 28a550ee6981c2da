import { expectedOneOf } from "@signalbox/core/Nearest"
import { type JournalEntry, outcomeText } from "../journal/JournalEntry.ts"
import { missingName } from "./DriftedBody.ts"
import { describe, type Fault } from "./Fault.ts"

const shown = 3

const differences = (fault: Fault, entry: JournalEntry): ReadonlyArray<string> => {
  const found: Array<string> = []
  if (fault.operation !== undefined && fault.operation !== entry.operation) found.push("another operation")
  if (fault.attempt !== undefined && fault.attempt !== entry.attempt) found.push(`attempt ${entry.attempt}`)
  if (fault.request !== undefined && fault.request !== entry.number) found.push("another request")
  if (fault.key !== undefined && fault.key !== entry.idempotencyKey) {
    found.push(entry.idempotencyKey === undefined ? "no key" : "another key")
  }
  if (found.length > 0) return found
  const { form } = fault
  if (form._tag === "Drift" && form.field !== undefined && entry.responseBody !== undefined) {
    const missing = missingName(entry.responseBody, form.field)
    if (missing !== undefined) {
      return [`its response has no ${missing.name}; ${expectedOneOf(missing.name, missing.names)}`]
    }
  }
  return entry.points.some(({ point }) => point === fault.point)
    ? ["its response has no place for the fault, or another fault applied first"]
    : [`it never reached ${fault.point}`]
}

const miss = (fault: Fault, entry: JournalEntry): { readonly line: string; readonly distance: number } => {
  const found = differences(fault, entry)
  const request = entry.operation ?? `${entry.method} ${entry.path}`
  return { line: `#${entry.number} ${request}, ${outcomeText(entry)}: ${found.join(", ")}`, distance: found.length }
}

const nearestRequests = (fault: Fault, entries: ReadonlyArray<JournalEntry>): string => {
  if (entries.length === 0) return "no request came"
  const nearest = entries
    .map((entry) => miss(fault, entry))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, shown)
    .map(({ line }) => line)
  return `nearest of ${entries.length} ${entries.length === 1 ? "request" : "requests"}: ${nearest.join("; ")}`
}

const target = ({ attempt, key, operation, request }: Fault): string =>
  [
    operation === undefined ? "" : ` of ${operation}`,
    attempt === undefined ? "" : `, attempt ${attempt}`,
    request === undefined ? "" : `, request ${request}`,
    key === undefined ? "" : `, key ${JSON.stringify(key)}`
  ].join("")

/** A fault was armed and no request met it: the test does not cover what it is meant to. */
export class FaultNeverFired extends Error {
  override readonly name = "FaultNeverFired"
  readonly fault: Fault

  /** Accepts the requests since the fault was armed, and lines about requests that matched no environment. */
  constructor(fault: Fault, entries: ReadonlyArray<JournalEntry>, unmatchedRequests: ReadonlyArray<string> = []) {
    super(
      [
        `fault "${describe(fault)}"${target(fault)} never fired`,
        nearestRequests(fault, entries),
        ...unmatchedRequests
      ].join("; ")
    )
    this.fault = fault
  }
}
