import * as Effect from "effect/Effect"
import * as Command from "effect/cli/Command"
import { handledBy } from "../HandledBy.ts"
import * as Flags from "./BulkFlags.ts"

const importLines = Command.make(
  "import",
  Flags.importFlags,
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
  Flags.markFlags,
  handledBy(() => import("./Lines.ts"), "markLines")
).pipe(
  Command.withDescription("Mark the messages on every line of a file as read, unread, seen or unseen."),
  Command.withExamples([{ command: "signalbox bulk mark messages.csv --as read --yes" }])
)

const exportEvents = Command.make(
  "export",
  Flags.exportFlags,
  handledBy(() => import("./Export.ts"), "exportEvents")
).pipe(
  Command.withDescription("Write all events that match a filter to a file, one JSON object per line."),
  Command.withExamples([{ command: "signalbox bulk export events.ndjson after:30d channel:email" }])
)

const existing = () => import("./Existing.ts")

const status = Command.make("status", Flags.statusFlags, handledBy(existing, "status")).pipe(
  Command.withDescription("Show the status of a run, also while it is worked on."),
  Command.withExamples([{ command: "signalbox bulk status tokens.csv" }])
)

const pause = Command.make("pause", Flags.recordFlags, handledBy(existing, "pause")).pipe(
  Command.withDescription("Halt a run, once its lines in flight are done, until it is resumed."),
  Command.withExamples([{ command: "signalbox bulk pause interrupted.csv" }])
)

const resume = Command.make("resume", Flags.resumeFlags, handledBy(existing, "resume")).pipe(
  Command.withDescription(
    "Continue a run that was interrupted, stopped or paused. Lines with an outcome are not sent again."
  ),
  Command.withExamples([{ command: "signalbox bulk resume interrupted.csv" }])
)

const retryFailed = Command.make("retry-failed", Flags.retryFlags, handledBy(existing, "retryFailed")).pipe(
  Command.withDescription("Send the failed lines of a finished run again."),
  Command.withExamples([{ command: "signalbox bulk retry-failed tokens.csv" }])
)

const list = Command.make("list", Flags.databaseFlags, handledBy(existing, "list")).pipe(
  Command.withDescription("List your runs on this machine, or those of a database, oldest first."),
  Command.withExamples([{ command: "signalbox bulk list" }])
)

const deleteRun = Command.make("delete", Flags.deleteFlags, handledBy(existing, "deleteRun")).pipe(
  Command.withDescription("Delete the record of a run that has ended. Its file can be sent again afterwards."),
  Command.withExamples([{ command: "signalbox bulk delete abandoned.csv --yes" }])
)

const cancel = Command.make("cancel", Flags.recordFlags, handledBy(existing, "cancel")).pipe(
  Command.withDescription("End a run for good, once its lines in flight are done."),
  Command.withExamples([{ command: "signalbox bulk cancel abandoned.csv" }])
)

const report = Command.make("report", Flags.reportFlags, handledBy(existing, "report")).pipe(
  Command.withDescription("Print the outcome of every line of a run."),
  Command.withExamples([
    { command: "signalbox bulk report tokens.csv --csv > report.csv" },
    { command: "signalbox bulk report tokens.csv --outcome failed --outcome unknown --fields line,outcome,reason" },
    { command: "signalbox bulk report tokens.csv --failed-input corrections.csv" }
  ])
)

const worker = Command.make(
  "worker",
  Flags.workerFlags,
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
