import { shellWord } from "@signalbox/operator/report/Curl"

/** How far the run of a file is. */
export interface FileRunProgress {
  /** Lines of the file. */
  readonly total: number | undefined
  /** Lines by outcome; `unknown` may have been applied. */
  readonly counts: Readonly<Record<"succeeded" | "failed" | "unknown" | "invalid", number>>
  readonly perSecond: number
  readonly timeLeftMs: number | undefined
  /** Why it waits, and until when, in milliseconds since 1970; absent while it works. */
  readonly waiting: { readonly reason: string; readonly until: number } | undefined
}

/** The run of a file that was started here last. */
export interface FileRun {
  readonly file: string
  readonly state: "running" | "pausing" | "paused" | "finished" | "failed"
  /** Absent before the first report. */
  readonly progress: FileRunProgress | undefined
  /** Why it failed, in one line. */
  readonly problem?: string
}

/** Whether leaving would stop the run. */
export const isUnderWay = (run: FileRun | undefined): run is FileRun =>
  run?.state === "running" || run?.state === "pausing"

/** How a run that stopped is continued outside of the terminal UI. */
export const resumeCommand = (file: string): string => `signalbox bulk resume ${shellWord(file)}`
