import { checkImport, checkMark, issueLine, type LineRunOptions, RunFinished, type Scan } from "@signalbox/bulk"
import { isUrl } from "@signalbox/bulk/internal/input/Location"
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { confirmAction, confirmWrite, type Connection, isYes, requireWritable } from "../../connection/Connection.ts"
import { usage, UsageError } from "../../failure/CommandError.ts"
import { Process } from "../../process/Process.ts"
import type { ImportInput, LinesInput, MarkInput } from "./BulkFlags.ts"
import { requireNoLimits, workOn } from "./RunCommand.ts"
import { showProgress } from "./ProgressLine.ts"
import { runFailure } from "./RunFailure.ts"
import { copyStdin } from "./StdinCopy.ts"

const defaultsOf = (fields: Readonly<Record<string, Option.Option<string>>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
  )

/** Problems of a kind that are listed where the file was to be sent. */
const listedProblems = 20

/** The flags that correct a whole file, by the first issue of it. */
const adviceOn = ([issue]: Scan["issues"]): string => {
  if (issue?.rule === "Missing key" && issue.path === "providerId")
    return "; for lines without providerId, add --provider ID"
  if (issue?.rule === "Missing key" && issue.path === "markAs") return "; for lines without markAs, add --as STATE"
  return issue?.rule === "Expected JSON" && issue.line === 1 ? "; if the file is CSV, add --format csv" : ""
}

/** Lists the problems of a file, and returns what was found in a few words. */
const listProblems = Effect.fnUntraced(function* (file: string, found: Scan, isDryRun: boolean) {
  const { invalidLines, issues, lines, repeated, repeatedLines } = found
  const { report } = yield* Process
  const repeats = repeatedLines.map((line) => `${file}:${line}: repeats an earlier line`)
  for (const [known, unlisted] of [
    [repeats, repeated - repeats.length],
    [issues.map((issue) => issueLine(file, issue)), invalidLines - new Set(issues.map(({ line }) => line)).size]
  ] as const) {
    const listed = isDryRun ? known : known.slice(0, listedProblems)
    for (const line of listed) yield* report(`${line}\n`)
    if (listed.length < known.length) yield* report("… list more with --dry-run\n")
    else if (unlisted > 0) yield* report(`… ${counted(unlisted, "more line")}\n`)
  }
  const others = repeated === 0 ? "" : `, ${repeated} repeated`
  return `${invalidLines === 0 ? `${counted(lines, "line")}, none invalid` : `invalid lines: ${invalidLines} of ${lines}`}${others}; nothing was sent${adviceOn(issues)}`
})

/** Refuses flags that have no meaning where the run is done. */
const checkPlace = (input: LinesInput): Effect.Effect<void, UsageError> => {
  if (Option.isNone(input.database)) {
    if (isUrl(input.file) && !input.dryRun) {
      return usage("a URL as the input needs --database; download the file, or name a database")
    }
    return input.stage ? usage("--stage is for runs of a database; add --database") : Effect.void
  }
  if (Option.isSome(input.journalFolder)) return usage("--journal and --database exclude each other")
  return requireNoLimits(input)
}

const checks = { import: checkImport, mark: checkMark }

const doLines = Effect.fnUntraced(function* (
  kind: keyof typeof checks,
  input: LinesInput,
  defaults: LineRunOptions["defaults"]
) {
  yield* checkPlace(input)
  const file = input.file === "-" ? yield* copyStdin(input) : input.file
  const concurrency = Option.getOrUndefined(input.concurrency)
  const options: LineRunOptions = {
    input: file,
    format: Option.getOrUndefined(input.format),
    columns: input.column,
    defaults,
    folder: Option.getOrUndefined(input.journalFolder),
    concurrency,
    stage: input.stage,
    validate: input.validate,
    atLeastOnce: input.atLeastOnce,
    serviceHonoursKeys: input.honoursKeys,
    keyRetentionMs: Option.getOrUndefined(input.keyRetention),
    again: input.again
  }
  const found = yield* Effect.mapError(showProgress(checks[kind](options, input.dryRun), input.quiet), runFailure)
  const { ask, report, stdinIsTerminal } = yield* Process
  const isRefused = found.invalidLines > 0 && (input.dryRun || input.validate === "before")
  if (isRefused || input.dryRun) {
    const name = input.file === "-" ? "stdin" : file
    const message = yield* listProblems(name, found, input.dryRun)
    return yield* isRefused ? new UsageError({ message }) : report(`${name}: ${message}\n`)
  }
  const note = (message: string) => (input.quiet ? Effect.void : report(`${message}\n`))
  if (found.lines === 0) yield* note(`${file} has no lines; there is nothing to send`)
  // A scheduler passes --yes too, and must not continue what an operator paused.
  const mayContinue = (id: string) =>
    stdinIsTerminal
      ? Effect.map(ask(`Run ${id} is paused. Continue it? [y/N] `, "visible"), isYes)
      : Effect.succeed(false)
  const action = `${kind} ${counted(found.lines, "line")}`
  if (Option.isSome(input.database)) {
    yield* confirmAction(`${action} in the database "${input.database.value}"`, input.yes)
  }
  const confirm = (connection: Connection) =>
    Effect.andThen(requireWritable(connection), confirmWrite(connection, `${action} of ${file}`, input.yes))
  yield* workOn(input, file, confirm, (runs, place) =>
    runs.start(kind, { ...options, ...place }).pipe(
      // The same command, started again after a crash or by a scheduler, does what is left.
      Effect.catchTag("RunUnfinished", (error) =>
        error.isSameWork
          ? Effect.gen(function* () {
              const { id, journal } = error
              const known = yield* runs.status(journal)
              if (known.state === "paused" && !(yield* mayContinue(id))) return known
              // One on this machine that is under way is refused.
              if (known.state !== "running" || Option.isSome(input.database)) yield* note(`Continuing run ${id}`)
              return yield* runs.resume(journal, { concurrency, ...place })
            })
          : error
      ),
      Effect.catchTag("RunFinished", (error) => {
        const { isSamePlace, journal, message } = error
        return isSamePlace
          ? Effect.andThen(note(`${message}; nothing was sent. To send it again, add --again`), runs.status(journal))
          : new RunFinished({ ...error, message: `${message}; to send it there too, add --again` })
      })
    )
  )
}, Effect.scoped)

/** Creates or updates the credentials on every line of a file. */
export const importLines = (input: ImportInput) =>
  doLines("import", input, defaultsOf({ providerId: input.provider, integrationIdentifier: input.integration }))

/** Marks the messages on every line of a file. */
export const markLines = (input: MarkInput) => doLines("mark", input, defaultsOf({ markAs: input.as }))
