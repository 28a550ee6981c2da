import { messageMarks } from "@signalbox/core/Operations"
import * as Effect from "effect/Effect"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Option from "effect/Option"
import { defaultDatabase } from "../../connection/Database.ts"
import { connectionFlag, yesFlag } from "../../connection/ConnectionFlags.ts"
import { durationMs, filterArgument, oneOf, sinceFlag, switchFlag, textFlag, wholeNumber } from "../../flags/Flags.ts"
import { outputFlags } from "../../output/OutputFlags.ts"
import { maxRateFlag } from "./MaxRateFlag.ts"
import { handledBy } from "../HandledBy.ts"

const concurrency = wholeNumber("concurrency", { minimum: 1, maximum: 1000 }).pipe(
  Flag.optional,
  Flag.withDescription("Calls in flight at most (16 by default); fewer while the service limits the rate.")
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
  concurrency,
  ...maxRateFlag,
  atLeastOnce,
  journalFolder,
  database,
  stage: switchFlag("stage", "Put the input into the database, encrypted for its workers, until the run ends."),
  ...yesFlag,
  ...connectionFlag,
  ...outputFlags
}

const importLines = Command.make(
  "import",
  {
    file: fileArgument,
    provider: textFlag("provider", "ID", "The provider of lines that do not name one."),
    integration: textFlag("integration", "ID", "The integration of lines that do not name one."),
    ...lineFlags
  },
  handledBy(() => import("./Lines.ts"), "importLines")
).pipe(
  Command.withDescription("Create or update the credentials on every line of a file."),
  Command.withExamples([
    { command: "signalbox bulk import tokens.csv --provider fcm --dry-run", description: "Check the file first" },
    { command: "signalbox bulk import tokens.csv --provider fcm --yes" },
    {
      command:
        "signalbox bulk import users.csv --column subscriberId=user --column deviceTokens=token --provider fcm --yes",
      description: "Columns with other names"
    }
  ])
)

const mark = Command.make(
  "mark",
  {
    file: fileArgument,
    as: oneOf("as", messageMarks).pipe(
      Flag.optional,
      Flag.withDescription("The state for lines that do not name one.")
    ),
    ...lineFlags
  },
  handledBy(() => import("./Lines.ts"), "markLines")
).pipe(
  Command.withDescription("Mark the messages on every line of a file as read, unread, seen or unseen."),
  Command.withExamples([{ command: "signalbox bulk mark messages.csv --as read --yes" }])
)

const exportEvents = Command.make(
  "export",
  {
    file: Argument.String("file").pipe(Argument.withDescription("The file to write; it must not exist.")),
    filter: filterArgument("Conditions that the service filters by, for example after:30d channel:email."),
    since: sinceFlag("Write only events since then, such as 24h; the same as the condition after:24h."),
    withSecrets: switchFlag(
      "with-secrets",
      "Write device tokens, webhook URLs and other secrets; redacted by default. Asks first, unless --yes."
    ),
    yes: yesFlag.yes.pipe(Flag.withDescription("Write secrets without asking.")),
    ...maxRateFlag,
    journalFolder,
    // The other runs have this flag, so its error says more than that it is unknown.
    database: database.pipe(Flag.withHidden),
    ...connectionFlag,
    ...outputFlags
  },
  handledBy(() => import("./Export.ts"), "exportEvents")
).pipe(
  Command.withDescription("Write all events that match a filter to a file, one JSON object per line."),
  Command.withExamples([{ command: "signalbox bulk export events.ndjson after:30d channel:email" }])
)

const runArgument = {
  run: Argument.String("run").pipe(
    Argument.withDefault("."),
    Argument.withDescription(
      "The input or output file of a run, its journal or its id; by default the newest run in this folder."
    )
  )
}

const existing = () => import("./Existing.ts")

const recordFlags = { ...runArgument, database, ...outputFlags }

const status = Command.make(
  "status",
  { ...recordFlags, wait: switchFlag("wait", "In a database, wait until the run has ended, and show its progress.") },
  handledBy(existing, "status")
).pipe(
  Command.withDescription("Show the status of a run, also while it is worked on."),
  Command.withExamples([{ command: "signalbox bulk status tokens.csv" }])
)

const pause = Command.make("pause", recordFlags, handledBy(existing, "pause")).pipe(
  Command.withDescription("Halt a run, once its lines in flight are done, until it is resumed."),
  Command.withExamples([{ command: "signalbox bulk pause interrupted.csv" }])
)

const resumeFlags = { ...recordFlags, concurrency, ...maxRateFlag, ...connectionFlag }

const resume = Command.make("resume", resumeFlags, handledBy(existing, "resume")).pipe(
  Command.withDescription(
    "Continue a run that was interrupted, stopped or paused. Lines with an outcome are not sent again."
  ),
  Command.withExamples([{ command: "signalbox bulk resume interrupted.csv" }])
)

const retryFailed = Command.make(
  "retry-failed",
  { ...resumeFlags, atLeastOnce },
  handledBy(existing, "retryFailed")
).pipe(
  Command.withDescription("Send the failed lines of a finished run again."),
  Command.withExamples([{ command: "signalbox bulk retry-failed tokens.csv" }])
)

const list = Command.make("list", { database, ...outputFlags }, handledBy(existing, "list")).pipe(
  Command.withDescription("List your runs on this machine, or those of a database, oldest first."),
  Command.withExamples([{ command: "signalbox bulk list" }])
)

const deleteRun = Command.make("delete", { ...recordFlags, ...yesFlag }, handledBy(existing, "deleteRun")).pipe(
  Command.withDescription("Delete the record of a run that has ended. Its file can be sent again afterwards."),
  Command.withExamples([{ command: "signalbox bulk delete abandoned.csv --yes" }])
)

const cancel = Command.make("cancel", recordFlags, handledBy(existing, "cancel")).pipe(
  Command.withDescription("End a run for good, once its lines in flight are done."),
  Command.withExamples([{ command: "signalbox bulk cancel abandoned.csv" }])
)

const failedInput = textFlag(
  "failed-input",
  "FILE",
  "Instead of the report, write the failed and the invalid lines to a new file, in the form of the input; of a cancelled run also those that were not tried."
)

const outcome = oneOf("outcome", ["succeeded", "failed", "unknown", "invalid", "not-tried"]).pipe(
  Flag.atLeast(0),
  Flag.withDescription("Only lines with this outcome; repeat it for more.")
)

const report = Command.make("report", { ...recordFlags, outcome, failedInput }, handledBy(existing, "report")).pipe(
  Command.withDescription("Print the outcome of every line of a run."),
  Command.withExamples([
    { command: "signalbox bulk report tokens.csv --csv > report.csv" },
    { command: "signalbox bulk report tokens.csv --outcome failed --outcome unknown --fields line,outcome,reason" },
    { command: "signalbox bulk report tokens.csv --failed-input corrections.csv" }
  ])
)

const workerFlags = {
  database: database.pipe(Flag.map(Option.getOrElse(() => defaultDatabase))),
  ...connectionFlag,
  quiet: outputFlags.quiet
}

const worker = Command.make(
  "worker",
  workerFlags,
  handledBy(() => import("./Worker.ts"), "worker")
).pipe(
  Command.withDescription("Do the runs of a database, together with other workers, until stopped."),
  Command.withExamples([{ command: "signalbox bulk worker --database production --connection production" }])
)

const inputKey = Command.make("input-key", {}, () =>
  Effect.flatMap(
    Effect.promise(() => import("./Worker.ts")),
    ({ inputKey }) => inputKey
  )
).pipe(
  Command.withDescription("Print a new key pair for inputs that are staged in a database."),
  Command.withExamples([{ command: "signalbox bulk input-key" }])
)

/** Runs over whole files. */
export const bulk = Command.make("bulk").pipe(
  Command.withDescription("Import, mark or export whole files, in runs that survive a crash."),
  Command.withSubcommands([
    importLines,
    mark,
    exportEvents,
    status,
    pause,
    resume,
    retryFailed,
    cancel,
    report,
    list,
    deleteRun,
    worker,
    inputKey
  ])
)
