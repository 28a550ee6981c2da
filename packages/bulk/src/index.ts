/**
 * Bulk runs on one machine: import, mark and export, each with a journal that survives a crash. Work on a run needs the
 * services of a client, as in the example of `startImport`.
 */
export { MaxRate } from "./run/MaxRate.ts"
export { CheckObserver, type CheckProgress } from "./input/CheckProgress.ts"
export { ProgressObserver, type Progress, type Waiting } from "./run/Progress.ts"
export type { ReportLine } from "./Report.ts"
export {
  DatabaseError,
  FileError,
  InputChanged,
  InvalidInput,
  InvalidOption,
  JournalError,
  type LineIssue,
  type RunError,
  RunFinished,
  RunLocked,
  RunNotFound,
  RunStateError,
  RunStopped,
  RunUnfinished
} from "./RunError.ts"
export { checkImport, checkMark, startExport, startImport, startMark } from "./NewRun.ts"
export type { ExportOptions, LineRunOptions, NewRunOptions, ResumeOptions, RetryOptions } from "./RunOptions.ts"
export { cancel, embedded, failedInput, list, pause, remove, report, resume, retryFailed, status } from "./Runs.ts"
export { StateFolder } from "./journal/RunIndex.ts"
export { LockExpiry } from "./journal/RunLock.ts"
export type { RunRecords, RunStore } from "./RunStore.ts"
export type { RunServices } from "./run/Work.ts"
export type { RunState, RunStatus } from "./RunStatus.ts"
export { issueLine, type InputFormat, type Scan } from "./input/InputFile.ts"
export type { LineOutcome, OutcomeCounts } from "./journal/LineStates.ts"
