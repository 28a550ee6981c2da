/**
 * The error of a fault that waited for a request and met none.
 */
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { describe, type Fault } from "./Fault.ts"

const shown = 3

const differences = (fault: Fault, entry: JournalEntry): ReadonlyArray<string> => {
  const found: Array<string> = []
  if (fault.operation !== undefined && fault.operation !== entry.operation) found.push("another operation")
  if (fault.attempt !== undefined && fault.attempt !== entry.attempt) found.push(`attempt ${entry.attempt}`)
  if (fault.key !== undefined && fault.key !== entry.idempotencyKey) {
    found.push(entry.idempotencyKey === undefined ? "no key" : "another key")
  }
  if (found.length > 0) return found
  return entry.passages.some(({ point }) => point === fault.point)
    ? ["its answer had no place for the fault, or another fault came first"]
    : [`it never got to ${fault.point}`]
}

const answered = ({ told }: JournalEntry): string => {
  switch (told._tag) {
    case "Answer":
    case "CutAnswer":
      return `answered ${told.status}`
    case "Nothing":
      return `met ${told.ending}`
    case "Pending":
      return "under way"
    case "ClientLeft":
      return "left by its client"
  }
}

const miss = (fault: Fault, entry: JournalEntry): { readonly words: string; readonly distance: number } => {
  const found = differences(fault, entry)
  const asked = entry.operation ?? `${entry.method} ${entry.path}`
  return { words: `#${entry.number} ${asked}, ${answered(entry)}: ${found.join(", ")}`, distance: found.length }
}

const whoCame = (fault: Fault, entries: ReadonlyArray<JournalEntry>): string => {
  if (entries.length === 0) return "no request came"
  const nearest = entries
    .map((entry) => miss(fault, entry))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, shown)
    .map(({ words }) => words)
  return `of ${entries.length} requests the nearest: ${nearest.join("; ")}`
}

const target = ({ attempt, key, operation }: Fault): string =>
  [
    operation === undefined ? "" : ` of ${operation}`,
    attempt === undefined ? "" : `, attempt ${attempt}`,
    key === undefined ? "" : `, key ${JSON.stringify(key)}`
  ].join("")

/** A fault was armed, and no request met it: the test did not test what it says. */
export class FaultNeverFired extends Error {
  override readonly name = "FaultNeverFired"
  readonly fault: Fault

  /** Takes the requests that came, and what there is to say about those that were for no environment. */
  constructor(fault: Fault, entries: ReadonlyArray<JournalEntry>, strangers: ReadonlyArray<string> = []) {
    super([`fault "${describe(fault)}"${target(fault)} never fired`, whoCame(fault, entries), ...strangers].join("; "))
    this.fault = fault
  }
}
