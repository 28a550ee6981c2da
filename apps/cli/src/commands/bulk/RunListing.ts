import type { ReportLine, RunStatus, RunSummary } from "@signalbox/bulk"
import type { ClusterRunStatus } from "@signalbox/bulk/cluster"
import type { Listing } from "../../output/Listing.ts"

const tone = (count: number) => (count > 0 ? "bad" : undefined)

/** Fields of every run. */
const summaryFields: Listing<RunSummary>["fields"] = {
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
  file: { value: ({ file }) => file }
}

const columns = ["id", "state", "total", "succeeded", "failed", "unknown", "invalid"]

/** How runs on one machine are printed. */
export const runListing: Listing<RunStatus> = {
  fields: {
    ...summaryFields,
    inDoubt: { value: ({ inDoubt }) => inDoubt },
    journal: { value: ({ journal }) => journal }
  },
  columns,
  record: (run) => run
}

/** How runs on a cluster are printed. */
export const clusterListing: Listing<ClusterRunStatus> = {
  fields: {
    ...summaryFields,
    chunks: { value: ({ chunks }) => chunks, isShort: true },
    chunksDone: { value: ({ chunksDone }) => chunksDone, isShort: true },
    problem: {
      value: ({ problem }) => problem ?? null,
      tone: ({ problem }) => (problem === undefined ? undefined : "bad")
    }
  },
  columns: [...columns, "problem"],
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
