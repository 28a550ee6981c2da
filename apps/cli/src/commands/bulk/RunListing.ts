import type { ReportLine, RunStatus } from "@signalbox/bulk"
import { basename } from "node:path"
import type { Listing } from "../../output/Listing.ts"

const tone = (count: number) => (count > 0 ? "bad" : undefined)

/** The counts of a run in a few words: `53 of 60 ok, 2 failed, 5 unknown`. */
const outcomeOf = ({ counts: { failed, invalid, succeeded, unknown }, total }: RunStatus): string =>
  [
    `${succeeded}${total === undefined ? "" : ` of ${total}`} ok`,
    ...Object.entries({ failed, unknown, invalid }).flatMap(([name, count]) =>
      count === 0 ? [] : [`${count} ${name}`]
    )
  ].join(", ")

/** How runs are printed. */
export const runListing: Listing<RunStatus> = {
  fields: {
    id: { value: ({ id }) => id, isShort: true },
    kind: { value: ({ kind }) => kind, isShort: true },
    state: { value: ({ state }) => state, isShort: true },
    total: { value: ({ total }) => total ?? null, isShort: true },
    succeeded: { value: ({ counts }) => counts.succeeded, isShort: true },
    failed: { value: ({ counts }) => counts.failed, isShort: true, tone: ({ counts }) => tone(counts.failed) },
    unknown: { value: ({ counts }) => counts.unknown, isShort: true, tone: ({ counts }) => tone(counts.unknown) },
    invalid: { value: ({ counts }) => counts.invalid, isShort: true, tone: ({ counts }) => tone(counts.invalid) },
    maybeTwice: { value: ({ maybeTwice }) => maybeTwice },
    pass: { value: ({ pass }) => pass },
    created: { value: ({ createdAt }) => createdAt },
    file: { value: ({ file }) => file, cell: ({ file }) => basename(file), isName: true },
    connection: { value: ({ connection }) => connection ?? null, isName: true },
    outcome: { value: outcomeOf, tone: ({ counts }) => tone(counts.failed + counts.unknown + counts.invalid) },
    inDoubt: { value: ({ inDoubt }) => inDoubt },
    journal: { value: ({ journal }) => journal },
    problem: {
      value: ({ problem }) => problem ?? null,
      tone: ({ problem }) => (problem === undefined ? undefined : "bad")
    }
  },
  columns: ["id", "file", "connection", "state", "outcome"]
}

/** How the lines of a report are printed. */
export const reportListing: Listing<ReportLine> = {
  fields: {
    line: { value: ({ line }) => line, isShort: true },
    outcome: {
      value: ({ outcome }) => outcome,
      tone: ({ outcome }) => (outcome === "succeeded" ? "good" : outcome === "not-tried" ? "quiet" : "bad"),
      isShort: true
    },
    reason: { value: ({ reason }) => reason ?? null, isShort: true },
    status: { value: ({ status }) => status ?? null, isShort: true },
    request: { value: ({ requestId }) => requestId ?? null },
    column: { value: ({ column }) => column ?? null },
    maybeTwice: { value: ({ mayHaveBeenAppliedTwice }) => mayHaveBeenAppliedTwice ?? false },
    message: { value: ({ message }) => message ?? null }
  },
  columns: ["line", "outcome", "reason", "status", "message"]
}
