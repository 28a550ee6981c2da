/**
 * Why a run cannot start, continue or be read.
 *
 * A line that fails is not an error: it is an outcome of the run.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

const line = {
  /** One line: the failure, its location, and the next step. */
  message: Schema.String
}

/** An issue of one line of the input; without values, which may be secrets. */
export const LineIssue = Schema.Struct({
  /** Line of the input file, from 1. */
  line: Schema.Int,
  /** Column of the file, from 1: a character of an NDJSON line, a field of a CSV line. Absent for the whole line. */
  column: Schema.optionalKey(Schema.Int),
  /** Field, for example `credentials.deviceTokens[0]`; empty for the whole line. */
  path: Schema.String,
  /** The rule that the value must follow. */
  rule: Schema.String
})
export type LineIssue = typeof LineIssue.Type

/** The input file or the output file of an export cannot be read or written. */
export class FileError extends Schema.TaggedError<FileError>()("FileError", {
  ...line,
  file: Schema.String,
  /** Code of the operating system, such as `ENOENT`. */
  code: Schema.optionalKey(Schema.String)
}) {}

/** The input has invalid lines, and validation before the run was requested; nothing was sent. */
export class InvalidInput extends Schema.TaggedError<InvalidInput>()("InvalidInput", {
  ...line,
  file: Schema.String,
  /** Lines that are invalid. */
  invalidLines: Schema.Int,
  /** The first issues, at most 100. */
  issues: Schema.Array(LineIssue)
}) {}

/** The input differs from the one that the run was started with. */
export class InputChanged extends Schema.TaggedError<InputChanged>()("InputChanged", {
  ...line,
  file: Schema.String
}) {}

/** The journal cannot be read or written, for example because the disk is full. Earlier records are kept. */
export class JournalError extends Schema.TaggedError<JournalError>()("JournalError", {
  ...line,
  journal: Schema.String,
  /** Code of the operating system, such as `ENOSPC`; absent for a damaged journal. */
  code: Schema.optionalKey(Schema.String)
}) {}

/** The database cannot be used. */
export class DatabaseError extends Schema.TaggedError<DatabaseError>()("DatabaseError", { ...line }) {}

/** Another process is working on the same input. */
export class RunLocked extends Schema.TaggedError<RunLocked>()("RunLocked", {
  ...line,
  lockFile: Schema.String,
  pid: Schema.Int,
  host: Schema.String
}) {}

/** The same input has a run that is not finished. */
export class RunUnfinished extends Schema.TaggedError<RunUnfinished>()("RunUnfinished", {
  ...line,
  id: Schema.String,
  /** Path of the journal; in a database, the id. */
  journal: Schema.String,
  /** Whether that run reads the input the same way, so that resuming it does what was asked for. */
  isSameWork: Schema.Boolean
}) {}

/** The same input has a run that is finished; sending it again to the same service would apply every line twice. */
export class RunFinished extends Schema.TaggedError<RunFinished>()("RunFinished", {
  ...line,
  id: Schema.String,
  /** Path of the journal; in a database, the id. */
  journal: Schema.String,
  /** Whether that run sent to the same environment; where one is unknown, over the same connection. */
  isSamePlace: Schema.Boolean
}) {}

/** No run has this name in this folder. */
export class RunNotFound extends Schema.TaggedError<RunNotFound>()("RunNotFound", { ...line }) {}

/** The run is in a state, or of a kind, that does not allow this. */
export class RunStateError extends Schema.TaggedError<RunStateError>()("RunStateError", {
  ...line,
  id: Schema.String
}) {}

/**
 * The run stopped because every further line would have failed: the API key is not accepted, or the service cannot be
 * reached. Lines without an outcome are done when the run is resumed.
 */
export class RunStopped extends Schema.TaggedError<RunStopped>()("RunStopped", {
  ...line,
  id: Schema.String,
  /** Tag of the reason of the call that stopped the run, such as `Unauthorized`. */
  reason: Schema.String
}) {}

/** An option is outside its range. */
export class InvalidOption extends Schema.TaggedError<InvalidOption>()("InvalidOption", {
  ...line,
  option: Schema.String
}) {}

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
