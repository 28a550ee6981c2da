/**
 * The runs of one place: the journals of a machine, or a database that machines share.
 */
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"
import type { LineRunKind } from "./input/LineRequest.ts"
import type { ReportLine } from "./Report.ts"
import type { RunError } from "./RunError.ts"
import type { LineRunOptions, ResumeOptions, RetryOptions } from "./RunOptions.ts"
import type { RunStatus } from "./RunStatus.ts"

/**
 * The records of runs. `run` is the id of a run, or the path of its input or output file; of several runs of a file the
 * newest. On one machine it can also be the path of a journal, or of a folder of journals.
 */
export interface RunRecords {
  /** Reads the status of a run, also while it is worked on. */
  readonly status: (run: string) => Effect.Effect<RunStatus, RunError>
  /** All runs, oldest first, and the errors of those that cannot be read. */
  readonly list: Effect.Effect<{ readonly runs: ReadonlyArray<RunStatus>; readonly errors: ReadonlyArray<RunError> }>
  /** Halts a run, once its lines in flight are done, until it is resumed. */
  readonly pause: (run: string) => Effect.Effect<RunStatus, RunError>
  /** Ends a run for good, once its lines in flight are done. */
  readonly cancel: (run: string) => Effect.Effect<RunStatus, RunError>
  /** Deletes the record of a run that is finished or cancelled. Its lines can be sent again afterwards. */
  readonly remove: (run: string) => Effect.Effect<RunStatus, RunError>
  /** The outcomes of the lines of a run, in the order of the lines. */
  readonly report: (run: string) => Stream.Stream<ReportLine, RunError>
  /** Writes the lines that failed or are invalid to a new file in the form of the input, and returns their number. */
  readonly failedInput: (run: string, output: string) => Effect.Effect<number, RunError>
}

/**
 * Records of runs, and the work on them: sent by this process with `Services`, or handed to workers, which needs none.
 */
export interface RunStore<Services> extends RunRecords {
  /** Starts a run. Fails with `RunUnfinished` or `RunFinished` where an earlier run has the same input. */
  readonly start: (kind: LineRunKind, options: LineRunOptions) => Effect.Effect<RunStatus, RunError, Services>
  /** Continues a run that was interrupted, stopped or paused. */
  readonly resume: (run: string, options?: ResumeOptions) => Effect.Effect<RunStatus, RunError, Services>
  /** Sends the failed lines of a finished run again, and the unknown ones where that does no harm. */
  readonly retryFailed: (run: string, options?: RetryOptions) => Effect.Effect<RunStatus, RunError, Services>
}
