import { describe, type Fault } from "../faults/Fault.ts"
import { UnmetExpectation } from "../verdicts/UnmetExpectation.ts"
import type { VirtualRun } from "../time/VirtualTime.ts"

/** One run of the test: with this fault at the nth request. */
export interface SweepCell {
  readonly fault: Fault
  /** Number of the request, counted from 1. */
  readonly request: number
  /** `not-reached`: the request never reached the point, or the fault does not fit its response. */
  readonly outcome: "passed" | "failed" | "hung" | "not-reached"
  /** The error of the test, or why it did not finish. */
  readonly error?: unknown
  /** The requests of the run. */
  readonly timeline: string
  /** Reproduces exactly this run: see {@link SweepOptions.reproduce}. */
  readonly token: string
}

const marks: Readonly<Record<SweepCell["outcome"], string>> = {
  passed: ".",
  failed: "F",
  hung: "H",
  "not-reached": " "
}

/** All cells of a sweep. */
export class SweepReport {
  readonly cells: ReadonlyArray<SweepCell>

  constructor(cells: ReadonlyArray<SweepCell>) {
    this.cells = cells
  }

  /** The cells whose test failed or hung, in the order of their requests. */
  get failures(): ReadonlyArray<SweepCell> {
    return this.cells
      .filter(({ outcome }) => outcome === "failed" || outcome === "hung")
      .toSorted((one, other) => one.request - other.request)
  }

  /** The report as text: one row for each fault, one column for each request: `.` passed, `F` failed, `H` hung, blank not reached. */
  get text(): string {
    const columns = Math.max(0, ...this.cells.map(({ request }) => request))
    const rows = new Map<string, Array<string>>()
    for (const { fault, outcome, request } of this.cells) {
      const name = describe(fault)
      const row = rows.get(name) ?? Array.from({ length: columns }, () => " ")
      row[request - 1] = marks[outcome]
      rows.set(name, row)
    }
    const width = Math.max(...[...rows.keys()].map(({ length }) => length), 0)
    const numbers = Array.from({ length: columns }, (_, at) => String((at + 1) % 10)).join("")
    return [
      `${"".padEnd(width)}  ${numbers}`,
      ...[...rows].map(([name, row]) => `${name.padEnd(width)}  ${row.join("").trimEnd()}`.trimEnd())
    ].join("\n")
  }
}

/** Why a test did not pass, on one line. */
export const reasonOf = ({ error }: { readonly error?: unknown }): string => {
  const [line = ""] = (error instanceof Error ? error.message : String(error)).split("\n")
  return line
}

/** The whole message of a test's error, except for the timeline in that of an expectation. */
const messageOf = ({ error }: { readonly error?: unknown }): string =>
  error instanceof Error && !(error instanceof UnmetExpectation) ? error.message.trimEnd() : reasonOf({ error })

/** The error of a test that does not pass undisturbed: why, and what it requested. */
export const doesNotPass = (
  what: string,
  run: Exclude<VirtualRun<unknown>, { readonly _tag: "Returned" }>,
  timeline: string
): Error => new Error(`${what}: ${messageOf(run)}\n\n${timeline}`, { cause: run.error })

/** A test does not pass with every fault. */
export class SweepFailed extends Error {
  override readonly name = "SweepFailed"
  readonly report: SweepReport

  constructor(report: SweepReport) {
    const { cells, failures, text } = report
    const [first] = failures
    const ran = cells.filter(({ outcome }) => outcome !== "not-reached").length
    const detail =
      first === undefined
        ? []
        : [
            `first: ${describe(first.fault)}, request ${first.request}: ${messageOf(first)}`,
            `reproduce: sweep(test, { reproduce: "${first.token}" })`,
            "",
            first.timeline
          ]
    super([`the test does not pass with ${failures.length} of ${ran} faults`, ...detail, "", text].join("\n"))
    this.report = report
    this.cause = first?.error
  }
}
