/**
 * The flags of `signalbox bulk`, and the input of its commands.
 */
import type { MaxRate } from "@signalbox/bulk"
import { messageMarks } from "@signalbox/core/Operations"
import * as Argument from "effect/cli/Argument"
import type * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import { connectionFlag, yesFlag } from "../../connection/ConnectionFlags.ts"
import { defaultDatabase } from "../../connection/Database.ts"
import {
  durationMs,
  filterArgument,
  oneOf,
  readFlag,
  sinceFlag,
  switchFlag,
  textFlag,
  wholeNumber
} from "../../flags/Flags.ts"
import { outputFlags } from "../../output/OutputFlags.ts"

const concurrency = wholeNumber("concurrency", { minimum: 1, maximum: 1000 }).pipe(
  Flag.optional,
  Flag.withDescription("Calls in flight at most (16 by default); fewer while the service limits the rate.")
)

/** The highest rate of a run on one machine. */
const maxRate = readFlag(
  "max-rate",
  "N|N%",
  (text): MaxRate | undefined => {
    const { number = "", unit } = /^(?<number>\d{1,9}(?:\.\d{1,9})?)(?<unit>%)?$/u.exec(text)?.groups ?? {}
    const value = Number(number)
    if (value <= 0 || (unit !== undefined && value > 100)) return undefined
    return unit === undefined ? value : { share: value / 100 }
  },
  () => "requests a second such as 20 or 0.5, or a share of the service's limit such as 50%"
).pipe(
  Flag.optional,
  Flag.withDescription(
    "Requests a second at most, or a share of the limit that the service states (50%), so that others can use the rest."
  )
)

const journalFolder = textFlag("journal", "FOLDER", "Folder of the journal; next to the file by default.")

const atLeastOnce = switchFlag(
  "at-least-once",
  "Resend device tokens that may have been added already, although the service is not known to honour idempotency keys."
)

const database = textFlag(
  "database",
  "NAME",
  "Use the runs in this database, which workers send: a name of config.toml, or default for SIGNALBOX_DATABASE_URL."
)

/** Commands that work on a run. */
const workFlags = { concurrency, maxRate, database, ...connectionFlag, ...outputFlags }

const fileArgument = Argument.String("file").pipe(
  Argument.withDescription(
    "The input file: NDJSON, or CSV with a header line; - for stdin. For a database, also a URL."
  )
)

const lineFlags = {
  format: oneOf("format", ["ndjson", "csv"]).pipe(
    Flag.optional,
    Flag.withDescription("Format of the file; by default csv for a name that ends in .csv, otherwise ndjson.")
  ),
  column: Flag.KeyValuePair("column").pipe(
    Flag.withMetavar("FIELD=COLUMN"),
    Flag.withDefault({}),
    Flag.withDescription("The CSV column of a field, where the names differ; repeatable.")
  ),
  validate: oneOf("validate", ["before", "during"]).pipe(
    Flag.withDefault("before"),
    Flag.withDescription("before rejects a file with invalid lines and sends nothing; during reports them as outcomes.")
  ),
  again: switchFlag("again", "Send all lines although an earlier run of the file sent some."),
  dryRun: switchFlag("dry-run", "Check every line of the file, and send nothing."),
  honoursKeys: switchFlag("service-honours-keys", "The service is known to honour idempotency keys."),
  keyRetention: durationMs("key-retention").pipe(
    Flag.optional,
    Flag.withDescription("How long the service keeps idempotency keys (1h by default).")
  ),
  atLeastOnce,
  journalFolder,
  stage: switchFlag("stage", "Put the input into the database, encrypted for its workers, until the run ends."),
  ...yesFlag,
  ...workFlags
}

export const importFlags = {
  file: fileArgument,
  provider: textFlag("provider", "ID", "The provider of lines that do not name one."),
  integration: textFlag("integration", "ID", "The integration of lines that do not name one."),
  ...lineFlags
}

export const markFlags = {
  file: fileArgument,
  as: oneOf("as", messageMarks).pipe(Flag.optional, Flag.withDescription("The state for lines that do not name one.")),
  ...lineFlags
}

export const exportFlags = {
  file: Argument.String("file").pipe(Argument.withDescription("The file to write; it must not exist.")),
  filter: filterArgument("Conditions that the service filters by, for example after:30d channel:email."),
  since: sinceFlag("Write only events since then, such as 24h; the same as the condition after:24h."),
  withSecrets: switchFlag(
    "with-secrets",
    "Write device tokens, webhook URLs and other secrets; redacted by default. Asks first, unless --yes."
  ),
  yes: yesFlag.yes.pipe(Flag.withDescription("Write secrets without asking.")),
  maxRate,
  journalFolder,
  // The other runs have this flag, so its error says more than that it is unknown.
  database: database.pipe(Flag.withHidden),
  ...connectionFlag,
  ...outputFlags
}

export const databaseFlags = { database, ...outputFlags }

export const recordFlags = {
  run: Argument.String("run").pipe(
    Argument.withDefault("."),
    Argument.withDescription(
      "The input or output file of a run, its journal or its id; by default the newest run in this folder."
    )
  ),
  ...databaseFlags
}

export const statusFlags = {
  ...recordFlags,
  wait: switchFlag("wait", "In a database, wait until the run has ended, and show its progress.")
}

export const resumeFlags = { ...recordFlags, ...workFlags }

export const retryFlags = { ...resumeFlags, atLeastOnce }

export const deleteFlags = { ...recordFlags, ...yesFlag }

export const reportFlags = {
  ...recordFlags,
  outcome: oneOf("outcome", ["succeeded", "failed", "unknown", "invalid", "not-tried"]).pipe(
    Flag.atLeast(0),
    Flag.withDescription("Only lines with this outcome; repeat it for more.")
  ),
  failedInput: textFlag(
    "failed-input",
    "FILE",
    "Instead of the report, write the failed and the invalid lines to a new file, in the form of the input; of a cancelled run also those that were not tried."
  )
}

export const workerFlags = {
  database: database.pipe(Flag.map(Option.getOrElse(() => defaultDatabase))),
  ...connectionFlag,
  quiet: outputFlags.quiet
}

/** The values of flags. */
type Values<Flags extends Command.Command.Config> = Command.Command.Config.Infer<Flags>

/** The input of commands that have `--database`. */
export type DatabaseOption = Pick<Values<typeof workFlags>, "database">
export type WorkInput = Values<typeof workFlags>
export type ImportInput = Values<typeof importFlags>
export type MarkInput = Values<typeof markFlags>
/** The input of commands that send the lines of a file. */
export type LinesInput = Values<typeof lineFlags> & Pick<ImportInput, "file">
export type ExportInput = Values<typeof exportFlags>
export type ListInput = Values<typeof databaseFlags>
export type RunInput = Values<typeof recordFlags>
export type StatusInput = Values<typeof statusFlags>
export type ResumeInput = Values<typeof resumeFlags>
export type RetryInput = Values<typeof retryFlags>
export type DeleteInput = Values<typeof deleteFlags>
export type ReportInput = Values<typeof reportFlags>
export type WorkerInput = Values<typeof workerFlags>
