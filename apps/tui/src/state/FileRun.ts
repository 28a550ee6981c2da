/** The lines of a file. */
export interface FileRunLines {
  readonly total: number | undefined
  /** Lines by outcome; `unknown` may have been applied. */
  readonly counts: Readonly<Record<"succeeded" | "failed" | "unknown" | "invalid", number>>
}

/** A line that was not applied, or may not have been. */
export interface FileRunLine {
  /** Its number in the file, from 1. */
  readonly line: number
  readonly outcome: "failed" | "unknown" | "invalid"
  /** The reason, in one line without secrets. */
  readonly message: string
}

/** How far the run of a file is. */
export interface FileRunProgress extends FileRunLines {
  readonly perSecond: number
  readonly timeLeftMs: number | undefined
  /** The cause of a wait, and its end in milliseconds since 1970; absent while it works. */
  readonly waiting: { readonly reason: string; readonly until: number } | undefined
}

/** The run of a file that was started here last. */
export interface FileRun {
  readonly file: string
  /** The name of the connection that it sends to. */
  readonly connection: string
  readonly state: "running" | "pausing" | "paused" | "finished" | "failed"
  /** Whether this start has come to the lines; before that, nothing is sent. */
  readonly isSending: boolean
  /** The command that continues it outside the terminal UI; absent for the demo, which ends with it. */
  readonly resume: string | undefined
  /** Absent before the first report. */
  readonly progress: FileRunProgress | undefined
  /** The first lines that failed, are invalid or have an unknown outcome, once the run has paused or ended. */
  readonly lines?: ReadonlyArray<FileRunLine>
  /** Why it failed, in one line. */
  readonly problem?: string
}

/** The news of a run under way. */
export type FileRunReport = Partial<Pick<FileRun, "lines" | "progress">>

/** The subscribers and providers whose credentials a run has changed. */
export type FileRunChanges = ReadonlyArray<readonly [subscriberId: string, credentials: string]>

/** Whether leaving would stop the run. */
export const isUnderWay = (run: FileRun | undefined): run is FileRun =>
  run?.state === "running" || run?.state === "pausing"
