/**
 * Options of runs, and their checks.
 */
import type { EventFilters } from "@signalbox/core/Events"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { InputFormat } from "./input/InputFile.ts"
import { InvalidOption } from "./RunError.ts"

/** Where the calls of a run go. */
export interface Place {
  /**
   * The service, such as the base URL. Recorded, so that a run cannot be resumed against another service by mistake; not
   * checked when absent.
   */
  readonly service?: string | undefined
  /**
   * The API key of the client. Its digest is recorded, so that a run of which no response has named the environment is not
   * continued in another one by mistake; not checked when absent.
   */
  readonly apiKey?: Redacted.Redacted<string> | undefined
  /** Name of the connection that the client uses, which messages show; absent where it has none. */
  readonly connection?: string | undefined
}

/** Options of every new run. */
export interface NewRunOptions extends Place {
  /** Folder of the journal on one machine; the folder of the input, or of the output of an export, when absent. */
  readonly folder?: string | undefined
}

/** Options of an import or a mark. */
export interface LineRunOptions extends NewRunOptions {
  /** Path of the input file; in a database also a URL, or a path that every worker can read. */
  readonly input: string
  /** Starts a run although an earlier one sent the same input, or lines of it; `false` when absent. */
  readonly again?: boolean | undefined
  /** Format of the input file; by the name of the file when absent: CSV for `.csv`, otherwise NDJSON. */
  readonly format?: InputFormat | undefined
  /** Column of each field of a CSV file, where its name differs from that of the field. Unmapped columns are ignored then. */
  readonly columns?: Readonly<Record<string, string>> | undefined
  /** Fields for lines that do not have them: `providerId` and `integrationIdentifier`, or `markAs`. */
  readonly defaults?: Readonly<Record<string, string>> | undefined
  /** Calls in flight at most on one machine, from 1 to 1,000; 16 when absent. */
  readonly concurrency?: number | undefined
  /** In a database: puts the input there, encrypted for the workers, until its lines are done; `false` when absent. */
  readonly stage?: boolean | undefined
  /**
   * `before`, which is the default: a file with invalid lines is rejected as a whole, and nothing is sent. `during`:
   * invalid lines become outcomes.
   */
  readonly validate?: "before" | "during" | undefined
  /**
   * Sends device tokens again that may have been appended already, although the service is not known to honour
   * idempotency keys; `false` when absent.
   */
  readonly atLeastOnce?: boolean | undefined
  /** Whether the service is known to honour idempotency keys; otherwise the run finds out. */
  readonly serviceHonoursKeys?: boolean | undefined
  /**
   * How long the service keeps idempotency keys, in milliseconds from 0; an hour when absent. A line that may have appended
   * device tokens is not sent again with a key that is older.
   */
  readonly keyRetentionMs?: number | undefined
}

/** Options of an export. */
export interface ExportOptions extends NewRunOptions {
  /** Path of the output file, which must not exist. */
  readonly output: string
  /** Filters of the events; all events when absent. */
  readonly filters?: EventFilters | undefined
  /** Whether device tokens, webhook URLs and other secrets of the events are written; redacted when absent. */
  readonly withSecrets?: boolean | undefined
}

/** Options for taking up a run on one machine; workers have their own. */
export interface ResumeOptions extends Place {
  /** Calls in flight at most, from 1 to 1,000; 16 when absent. */
  readonly concurrency?: number | undefined
}

/** Options for doing failed lines again. */
export interface RetryOptions extends ResumeOptions {
  /** See {@link LineRunOptions}; as when the run was started when absent. */
  readonly atLeastOnce?: boolean | undefined
}

/** How long the service keeps idempotency keys, in milliseconds. */
export const checkedRetention = (value = 3_600_000): Effect.Effect<number, InvalidOption> =>
  Number.isSafeInteger(value) && value >= 0
    ? Effect.succeed(value)
    : new InvalidOption({ message: "keyRetentionMs: must be a whole number from 0", option: "keyRetentionMs" })

/** Calls in flight at most. */
export const checkedConcurrency = (value = 16): Effect.Effect<number, InvalidOption> =>
  Number.isInteger(value) && value >= 1 && value <= 1000
    ? Effect.succeed(value)
    : new InvalidOption({ message: "concurrency: must be a whole number from 1 to 1000", option: "concurrency" })

/** The names of fields. */
export const checkedNames = (
  option: string,
  given: Readonly<Record<string, string>>,
  allowed: ReadonlyArray<string>
): Effect.Effect<void, InvalidOption> => {
  const wrong = Object.keys(given).find((name) => !allowed.includes(name))
  return wrong === undefined
    ? Effect.void
    : new InvalidOption({
        message: `${option}: unknown field "${wrong}"; expected one of: ${allowed.join(", ")}`,
        option
      })
}
