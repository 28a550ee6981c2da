/**
 * The records of a journal. No record contains a value of the input.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Halt } from "../RunStatus.ts"
import { type LineOutcome, outcomes } from "./LineStates.ts"

const FileFacts = Schema.Struct({
  /** Path relative to the folder of the journal. */
  path: Schema.String,
  format: Schema.Literals(["ndjson", "csv"]),
  bytes: Schema.Int,
  sha256: Schema.String,
  /** Lines with content, the CSV header excluded. */
  lines: Schema.Int,
  /** Number of the last line with content. */
  lastLine: Schema.Int
})

/** Version of the journals that this process reads and writes. */
export const journalVersion = 2

const header = {
  type: Schema.Literal("run"),
  version: Schema.Literal(journalVersion),
  id: Schema.String,
  /** When the run was created, ISO 8601. */
  createdAt: Schema.String,
  /** Where the run sends its calls, as given by the caller; absent when not given. */
  service: Schema.optionalKey(Schema.String),
  /** Name of the connection that the run was started over; absent when not given. */
  connection: Schema.optionalKey(Schema.String),
  /** The highest rate of the run; absent when not given. */
  maxRate: Schema.optionalKey(Schema.Union([Schema.Finite, Schema.Struct({ share: Schema.Finite })]))
}

/** First record of an import or a mark: the operation and the file. */
export const LineRunHeader = Schema.Struct({
  ...header,
  kind: Schema.Literals(["import", "mark"]),
  input: FileFacts,
  /** Column of each field of a CSV file, where its name differs. */
  columns: Schema.Record(Schema.String, Schema.String),
  /** Fields for lines that do not have them. */
  defaults: Schema.Record(Schema.String, Schema.String),
  /** The report that says which lines to do; all when absent. */
  failedIn: Schema.optionalKey(Schema.Struct({ path: Schema.String, sha256: Schema.String })),
  atLeastOnce: Schema.Boolean,
  serviceHonoursKeys: Schema.Boolean,
  /** How long the service is trusted to know an idempotency key after it was first sent. */
  keyRetentionMs: Schema.Int
})
export type LineRunHeader = typeof LineRunHeader.Type

/** First record of an export: the listing and the output file. */
export const ExportHeader = Schema.Struct({
  ...header,
  kind: Schema.Literal("export"),
  /** Path relative to the folder of the journal. */
  output: Schema.String,
  /** Filters of the event listing. */
  filters: Schema.Record(Schema.String, Schema.Unknown),
  /** Whether the output has the secrets of the events. */
  withSecrets: Schema.optionalKey(Schema.Boolean)
})
export type ExportHeader = typeof ExportHeader.Type

/** The record of the first commit. */
export const RunHeader = Schema.Union([LineRunHeader, ExportHeader])
export type RunHeader = typeof RunHeader.Type

/** Outcome of one line. */
export interface OutcomeRecord {
  /** Line of the input file, from 1. */
  readonly line: number
  readonly outcome: LineOutcome
  /** Tag of the reason of the failed call, or `Interrupted`. Absent for a success. */
  readonly reason?: string | undefined
  /** Status of the last response. Absent without a response, and for a success. */
  readonly status?: number | undefined
  readonly requestId?: string | undefined
  /** One line without secrets. Absent for a success, unless the service lost device tokens. */
  readonly message?: string | undefined
  /** Where the line is invalid. */
  readonly column?: number | undefined
  /** The service may have applied the line more than once. */
  readonly mayHaveBeenAppliedTwice?: true | undefined
  /** Generation of the idempotency key if the line is sent again; 0 when absent. */
  readonly nextGeneration?: number | undefined
}

/** A record after the first one. */
export type JournalRecord =
  | OutcomeRecord
  /** These lines are handed over for sending: those that are pending in this pass. */
  | {
      readonly type: "claimed"
      readonly from: number
      readonly to: number
      /** Milliseconds since 1970. */
      readonly at: number
    }
  /** These lines are handed over for sending in one request. */
  | { readonly type: "joined"; readonly lines: ReadonlyArray<number>; readonly at: number }
  /** A page of an export was written: the output has this many bytes, and the walk continues at the cursor. */
  | {
      readonly type: "page"
      readonly events: number
      /** Bytes of the output before this page. */
      readonly from: number
      /** Bytes of the output after this page. */
      readonly to: number
      /** Absent after the last page. */
      readonly cursor?: string | undefined
    }
  /** The environment that the run writes to or reads from: the one that the first response names. */
  | { readonly type: "environment"; readonly id: string }
  /** A digest of the API key that lines are sent with from here on. */
  | { readonly type: "key"; readonly digest: string }
  /** The service was seen to honour idempotency keys. */
  | { readonly type: "keysHonoured" }
  /** Failed lines are done again from here on. */
  | { readonly type: "pass"; readonly pass: number; readonly atLeastOnce: boolean }
  /** A process took up the run. Lines claimed before, without an outcome, may have been sent. */
  | { readonly type: "resumed" }
  /** The process stopped in good order: lines that it claimed and that have no outcome were not sent. */
  | { readonly type: "stopped" }
  | { readonly type: "finished" }
  /** An operator halted the run. Lines in doubt stay so. */
  | { readonly type: Halt }

/** Whether a record is the outcome of a line. */
export const isOutcome = (record: JournalRecord): record is OutcomeRecord => "line" in record

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0

const isRecord = (value: unknown): value is JournalRecord => {
  if (typeof value !== "object" || value === null) return false
  if ("line" in value) {
    return "outcome" in value && isCount(value.line) && outcomes.some((outcome) => outcome === value.outcome)
  }
  if (!("type" in value)) return false
  switch (value.type) {
    case "claimed":
      return "from" in value && "to" in value && "at" in value && [value.from, value.to, value.at].every(isCount)
    case "joined":
      return (
        "lines" in value &&
        Array.isArray(value.lines) &&
        value.lines.every(isCount) &&
        "at" in value &&
        isCount(value.at)
      )
    case "environment":
      return "id" in value && typeof value.id === "string"
    case "key":
      return "digest" in value && typeof value.digest === "string"
    case "page":
      return (
        "from" in value && "to" in value && "events" in value && [value.from, value.to, value.events].every(isCount)
      )
    case "pass":
      return "pass" in value && isCount(value.pass)
    case "keysHonoured":
    case "resumed":
    case "stopped":
    case "finished":
    case "paused":
    case "cancelled":
      return true
    default:
      return false
  }
}

/** The run and the version of a journal of any version, from the JSON of its header; `undefined` for anything else. */
export const versionOf = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ id: Schema.String, version: Schema.Int }))
)

const parsed = (json: string): ReadonlyArray<unknown> => {
  try {
    const value: unknown = JSON.parse(json)
    return Array.isArray(value) ? value : []
  } catch {
    return []
  }
}

/** The records of a commit after the first, from their JSON; `undefined` for anything else. */
export const recordsOf = (json: string): ReadonlyArray<JournalRecord> | undefined => {
  const values = parsed(json)
  return values.length > 0 && values.every(isRecord) ? values : undefined
}

/** The header of a run, from the JSON of the first commit; `undefined` for anything else. */
export const headerOf = (json: string): RunHeader | undefined => {
  const [value, ...others] = parsed(json)
  return Option.getOrUndefined(others.length === 0 ? Schema.decodeUnknownOption(RunHeader)(value) : Option.none())
}
