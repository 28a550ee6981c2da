/**
 * Runs files of changes, so that a crash loses nothing. The terminal UI only shows such runs: the program that contains it
 * may pass a runner in.
 */
import type * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { FileRunLines, FileRunReport } from "../state/FileRun.ts"
import type { Services } from "./Session.ts"

/** The connection that the calls of a run go to. */
export interface FileRunPlace {
  readonly connection: string
  /** The base URL; for a demo, a name that no other demo has. */
  readonly service: string
  readonly isDemo: boolean
  readonly apiKey: Redacted.Redacted<string>
}

/**
 * Starts the import of a file, or continues it where it stopped. Interruption stops it in good order: the lines in flight
 * are done first.
 */
export type FileRunner = (
  file: string,
  place: FileRunPlace,
  onReport: (report: FileRunReport) => void
) => Effect.Effect<FileRunLines, { readonly message: string }, Services>
