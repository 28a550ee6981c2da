import type { ReportLine, RunStatus } from "@signalbox/bulk"
import type { Listing } from "../../output/Listing.ts"

const tone = (count: number) => (count > 0 ? "bad" : undefined)

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
    file: { value: ({ file }) => file },
    inDoubt: { value: ({ inDoubt }) => inDoubt },
    journal: { value: ({ journal }) => journal },
    problem: {
      value: ({ problem }) => problem ?? null,
      tone: ({ problem }) => (problem === undefined ? undefined : "bad")
    }
  },
  columns: ["id", "state", "total", "succeeded", "failed", "unknown", "invalid"],
  record: (run) => run
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
  columns: ["line", "outcome", "reason", "status", "message"],
  record: (line) => line
}
