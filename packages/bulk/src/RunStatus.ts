/**
 * The status of a run.
 */
import * as Effect from "effect/Effect"
import type { OutcomeCounts } from "./journal/LineStates.ts"
import { RunStateError } from "./RunError.ts"

/**
 * State of a run.
 *
 * - `planning`: its lines are being submitted to a database; resume it where that was interrupted
 * - `running`: a process is working on it; in a database, as long as lines are left
 * - `interrupted`: its process ended without a word; resume it
 * - `stopped`: its process stopped in good order; resume it
 * - `paused`: an operator paused it; it continues only when it is resumed
 * - `finished`: every line has an outcome
 * - `cancelled`: it was ended before every line had an outcome, and cannot be resumed
 */
export type RunState = "planning" | "running" | "interrupted" | "stopped" | "paused" | "finished" | "cancelled"

/** How an operator halts a run: until it is resumed, or for good. */
export type Halt = Extract<RunState, "paused" | "cancelled">

/** The status of a run, on one machine or in a database. */
export interface RunStatus {
  /** Id of the run. */
  readonly id: string
  readonly kind: "import" | "mark" | "export"
  readonly state: RunState
  /** Path of the input file, or its URL without the query; of an export, path of the output file. */
  readonly file: string
  /** Name of the connection that its lines are sent over; absent without one, and in a database. */
  readonly connection?: string
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
  /** Lines that may have been sent and have no outcome, because their process ended or has not recorded them yet. */
  readonly inDoubt: number
  /** Where the record is: the path of the journal; in a database, the id of the run. */
  readonly journal: string
  /** In a database: why the last lines that a worker could not do were not done. */
  readonly problem?: string
}

/** Whether a run cannot be resumed. */
export const hasEnded = (state: RunState | undefined): state is "finished" | "cancelled" =>
  state === "finished" || state === "cancelled"

/** Refuses to change a run that is finished or cancelled. */
export const refuseEnded = (id: string, state: RunState | undefined, more = ""): Effect.Effect<void, RunStateError> =>
  hasEnded(state) ? new RunStateError({ id, message: `run ${id} is ${state}${more}` }) : Effect.void

/** Refuses to send the failed lines of a run that is not finished. */
export const requireFinished = (id: string, state: RunState): Effect.Effect<void, RunStateError> =>
  state === "finished"
    ? Effect.void
    : new RunStateError({ id, message: `run ${id} is ${state}; only a finished run can be retried` })

/** Refuses to delete a run that is neither finished nor cancelled. */
export const requireEnded = (id: string, state: RunState): Effect.Effect<void, RunStateError> =>
  hasEnded(state) ? Effect.void : new RunStateError({ id, message: `run ${id} is ${state}; finish or cancel it first` })
