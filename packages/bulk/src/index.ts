export { type Chunk, type ChunkOptions, doChunk, planChunks, type PlanOptions } from "./Chunk.ts"
export { ProgressObserver, type Progress, type Waiting } from "./run/Progress.ts"
export type { ReportLine } from "./Report.ts"
export {
  FileError,
  InputChanged,
  InvalidInput,
  InvalidOption,
  JournalError,
  type LineIssue,
  type RunError,
  RunLocked,
  RunNotFound,
  RunStateError,
  RunStopped,
  RunUnfinished
} from "./RunError.ts"
export {
  cancel,
  checkImport,
  checkMark,
  type ExportOptions,
  type LineRunOptions,
  type NewRunOptions,
  report,
  resume,
  type ResumeOptions,
  retryFailed,
  type RetryOptions,
  startExport,
  startImport,
  startMark,
  status
} from "./Runs.ts"
export type { RunState, RunStatus } from "./RunStatus.ts"
export { issueLine, type InputFormat, type Scan } from "./input/InputFile.ts"
export type { LineOutcome, OutcomeCounts } from "./journal/LineStates.ts"
