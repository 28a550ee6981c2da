/**
 * The records of a journal. No record contains a value of the input.
 */
import type { InputFormat } from "../input/InputFile.ts"
import type { Sample } from "../input/Repeats.ts"
import type { LineRunKind } from "../input/LineRequest.ts"
import type { MaxRate } from "../run/MaxRate.ts"
import type { Halt } from "../RunStatus.ts"
import type { LineOutcome } from "./LineStates.ts"

/** Version of the journals that this process reads and writes. */
export const journalVersion = 3

interface Header {
  readonly type: "run"
  readonly version: typeof journalVersion
  readonly id: string
  /** When the run was created, ISO 8601. */
  readonly createdAt: string
  /** Where the run sends its calls, as given by the caller; absent when not given. */
  readonly service?: string
  /** Name of the connection that the run was started over; absent when not given. */
  readonly connection?: string
  /** The highest rate of the run; absent when not given. */
  readonly maxRate?: MaxRate
}

/** First record of an import or a mark: the operation and the file. */
export interface LineRunHeader extends Header {
  readonly kind: LineRunKind
  readonly input: {
    /** Path relative to the folder of the journal. */
    readonly path: string
    readonly format: InputFormat
    readonly bytes: number
    readonly sha256: string
    readonly sample: Sample
    /** Lines with content, the CSV header excluded. */
    readonly lines: number
    /** Number of the last line with content. */
    readonly lastLine: number
  }
  /** Column of each field of a CSV file, where its name differs. */
  readonly columns: Readonly<Record<string, string>>
  /** Fields for lines that do not have them. */
  readonly defaults: Readonly<Record<string, string>>
  readonly atLeastOnce: boolean
  readonly serviceHonoursKeys: boolean
  /** How long the service is trusted to know an idempotency key after it was first sent. */
  readonly keyRetentionMs: number
}

/** First record of an export: the listing and the output file. */
export interface ExportHeader extends Header {
  readonly kind: "export"
  /** Path relative to the folder of the journal. */
  readonly output: string
  /** Filters of the event listing. */
  readonly filters: Readonly<Record<string, unknown>>
  /** Whether the output has the secrets of the events. */
  readonly withSecrets?: boolean
}

/** The record of the first commit. */
export type RunHeader = LineRunHeader | ExportHeader

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

/** Tag of the reason of a line that was applied in another environment. */
export const otherEnvironment = "OtherEnvironment"

/** How a process took up a run. */
interface TakenUp {
  /** Name of its connection; absent without one. */
  readonly connection?: string | undefined
}

/** A record after the first one. */
export type JournalRecord =
  | OutcomeRecord
  /** These lines are handed over for sending in one request, at a time in milliseconds since 1970. */
  | { readonly type: "claimed"; readonly lines: ReadonlyArray<number>; readonly at: number }
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
  | ({ readonly type: "pass"; readonly pass: number; readonly atLeastOnce: boolean } & TakenUp)
  /** A process took up the run. Lines claimed before, without an outcome, may have been sent. */
  | ({ readonly type: "resumed" } & TakenUp)
  /** The process stopped in good order: lines that it claimed and that have no outcome were not sent. */
  | { readonly type: "stopped" }
  | { readonly type: "finished" }
  /** An operator halted the run. Lines in doubt stay so. */
  | { readonly type: Halt }

/** Whether a record is the outcome of a line. */
export const isOutcome = (record: JournalRecord): record is OutcomeRecord => "line" in record
