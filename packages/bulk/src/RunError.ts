/**
 * Why a run cannot start, continue or be read.
 *
 * A line that fails is not an error: it is an outcome of the run.
 */
import * as Data from "effect/Data"

interface Message {
  /** One line: the failure, its location, and the next step. */
  readonly message: string
}

/** An issue of one line of the input; without values, which may be secrets. */
export interface LineIssue {
  /** Line of the input file, from 1. */
  readonly line: number
  /** Column of the file, from 1: a character of an NDJSON line, a field of a CSV line. Absent for the whole line. */
  readonly column?: number
  /** Field, for example `credentials.deviceTokens[0]`; empty for the whole line. */
  readonly path: string
  /** The rule that the value must follow. */
  readonly rule: string
}

/** The input file or the output file of an export cannot be read or written. */
export class FileError extends Data.TaggedError("FileError")<
  Message & {
    readonly file: string
    /** Code of the operating system, such as `ENOENT`. */
    readonly code?: string
  }
> {}

/** The input has invalid lines, and validation before the run was requested; nothing was sent. */
export class InvalidInput extends Data.TaggedError("InvalidInput")<
  Message & {
    readonly file: string
    /** Lines that are invalid. */
    readonly invalidLines: number
    /** The issues of the first 1,000 of these lines. */
    readonly issues: ReadonlyArray<LineIssue>
  }
> {}

/** The input differs from the one that the run was started with. */
export class InputChanged extends Data.TaggedError("InputChanged")<Message & { readonly file: string }> {}

/** The journal cannot be read or written, for example because the disk is full. Earlier records are kept. */
export class JournalError extends Data.TaggedError("JournalError")<
  Message & {
    readonly journal: string
    /** Code of the operating system, such as `ENOSPC`; absent for a damaged journal. */
    readonly code?: string
  }
> {}

/** The database cannot be used. */
export class DatabaseError extends Data.TaggedError("DatabaseError")<Message> {}

/** Another process is working on the same input. */
export class RunLocked extends Data.TaggedError("RunLocked")<
  Message & { readonly lockFile: string; readonly pid: number; readonly host: string }
> {}

/** The same input has a run that is not finished. */
export class RunUnfinished extends Data.TaggedError("RunUnfinished")<
  Message & {
    readonly id: string
    /** Path of the journal; in a database, the id. */
    readonly journal: string
    /** Whether that run reads the input the same way, so that resuming it does what was asked for. */
    readonly isSameWork: boolean
  }
> {}

/** The same input has a run that is finished; sending it again to the same service would apply every line twice. */
export class RunFinished extends Data.TaggedError("RunFinished")<
  Message & {
    readonly id: string
    /** Path of the journal; in a database, the id. */
    readonly journal: string
    /** Whether that run sent to the same environment; where one is unknown, over the same connection. */
    readonly isSamePlace: boolean
  }
> {}

/** No run has this name in this folder. */
export class RunNotFound extends Data.TaggedError("RunNotFound")<Message> {}

/** The run is in a state, or of a kind, that does not allow this. */
export class RunStateError extends Data.TaggedError("RunStateError")<Message & { readonly id: string }> {}

/**
 * The run stopped because every further line would have failed: the API key is not accepted, or the service cannot be
 * reached. Lines without an outcome are done when the run is resumed.
 */
export class RunStopped extends Data.TaggedError("RunStopped")<
  Message & {
    readonly id: string
    /** Tag of the reason of the call that stopped the run, such as `Unauthorized`. */
    readonly reason: string
  }
> {}

/** An option is outside its range. */
export class InvalidOption extends Data.TaggedError("InvalidOption")<Message & { readonly option: string }> {}

/** Every error of a run. */
export type RunError =
  | FileError
  | InvalidInput
  | InputChanged
  | JournalError
  | DatabaseError
  | RunLocked
  | RunUnfinished
  | RunFinished
  | RunNotFound
  | RunStateError
  | RunStopped
  | InvalidOption
