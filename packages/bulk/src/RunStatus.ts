/**
 * The status of a run.
 *
 * @since 0.1.0
 */
import type { OutcomeCounts } from "./journal/LineStates.ts"

/**
 * State of a run.
 *
 * - `planning`: its lines are being submitted to a cluster
 * - `running`: a process is working on it; on a cluster, as long as lines are left
 * - `interrupted`: its process ended without a word; resume it
 * - `stopped`: its process stopped in good order; resume it
 * - `finished`: every line has an outcome
 * - `cancelled`: it was ended before every line had an outcome, and cannot be resumed
 */
export type RunState = "planning" | "running" | "interrupted" | "stopped" | "finished" | "cancelled"

/** The status of a run, on one machine or on a cluster. */
export interface RunSummary {
  /** Id of the run. */
  readonly id: string
  readonly kind: "import" | "mark" | "export"
  readonly state: RunState
  /** Path of the input file, or its URL without the query; of an export, path of the output file. */
  readonly file: string
  /** When the run was created, ISO 8601. */
  readonly createdAt: string
  /** Lines of the run; `undefined` for an export. */
  readonly total: number | undefined
  /** Lines by outcome; of an export, events that were written count as succeeded. */
  readonly counts: OutcomeCounts
  /** Lines that the service may have applied more than once. */
  readonly maybeTwice: number
  /** 1, and one more for each retry of the failed lines. */
  readonly pass: number
}

/** The status of a run on one machine. */
export interface RunStatus extends RunSummary {
  /** Path of the journal. */
  readonly journal: string
  /** Lines that may have been sent and have no outcome, because the process ended while they were in flight. */
  readonly inDoubt: number
}
