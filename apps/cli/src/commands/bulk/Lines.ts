import {
  checkImport,
  checkMark,
  issueLine,
  type LineRunOptions,
  resume,
  type Scan,
  startImport,
  startMark,
  status
} from "@signalbox/bulk"
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { chooseConnection, confirmWrite, requireWritable } from "../../connection/Connection.ts"
import type { ConnectionOptions } from "../../connection/ConnectionFlags.ts"
import { UsageError } from "../../failure/CommandError.ts"
import type { OutputOptions } from "../../output/OutputFlags.ts"
import { Process } from "../../process/Process.ts"
import { type MaxRateOptions, refuseMaxRate } from "./MaxRateFlag.ts"
import { placeOf, workOn } from "./RunCommand.ts"
import { showProgress } from "./ProgressLine.ts"
import { runFailure } from "./RunFailure.ts"
import { copyStdin } from "./StdinCopy.ts"

interface LinesInput extends OutputOptions, ConnectionOptions, MaxRateOptions {
  readonly file: string
  readonly format: Option.Option<"ndjson" | "csv">
  readonly column: Readonly<Record<string, string>>
  readonly failedIn: Option.Option<string>
  readonly validate: "before" | "during"
  readonly again: boolean
  readonly dryRun: boolean
  readonly honoursKeys: boolean
  readonly keyRetention: Option.Option<number>
  readonly concurrency: Option.Option<number>
  readonly atLeastOnce: boolean
  readonly journalFolder: Option.Option<string>
  readonly cluster: Option.Option<string>
  readonly stage: boolean
  readonly yes: boolean
}

/** The input of `bulk import`. */
export interface ImportInput extends LinesInput {
  readonly provider: Option.Option<string>
  readonly integration: Option.Option<string>
}

/** The input of `bulk mark`. */
export interface MarkInput extends LinesInput {
  readonly as: Option.Option<string>
}

const defaultsOf = (fields: Readonly<Record<string, Option.Option<string>>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (Option.isSome(value) ? [[name, value.value]] : []))
  )

/** Issues that are printed; the others are counted. */
const shownIssues = 20

const printIssues = Effect.fnUntraced(function* (file: string, { invalidLines, issues, lines }: Scan) {
  const { report } = yield* Process
  for (const issue of issues.slice(0, shownIssues)) yield* report(`${issueLine(file, issue)}\n`)
  if (issues.length > shownIssues) yield* report("…\n")
  return yield* new UsageError({
    message: `${invalidLines} of ${counted(lines, "line")} are invalid; nothing was sent`
  })
})

const printDryRun = Effect.fnUntraced(function* (file: string, { lines, repeated, repeatedLines }: Scan) {
  const { report } = yield* Process
  for (const line of repeatedLines.slice(0, shownIssues)) yield* report(`${file}:${line}: repeats an earlier line\n`)
  if (repeated > shownIssues) yield* report("…\n")
  const repeats = repeated === 0 ? "" : `, ${repeated} repeated`
  yield* report(`${file}: ${counted(lines, "line")}, none invalid${repeats}; nothing was sent\n`)
})

/** Refuses flags that have no meaning where the run is done. */
const checkPlace = ({
  cluster,
  concurrency,
  journalFolder,
  maxRate,
  stage
}: LinesInput): Effect.Effect<void, UsageError> => {
  const refuse = (message: string) => Effect.fail(new UsageError({ message }))
  if (Option.isNone(cluster)) return stage ? refuse("--stage is for runs on a cluster; add --cluster") : Effect.void
  if (Option.isSome(journalFolder)) return refuse("--journal and --cluster exclude each other")
  if (Option.isSome(concurrency))
    return refuse("--concurrency and --cluster exclude each other; a worker makes 32 calls")
  return refuseMaxRate({ maxRate })
}

interface Kind {
  readonly kind: "import" | "mark"
  readonly check: typeof checkImport
  readonly start: typeof startImport
}

const doLines = Effect.fnUntraced(function* (kind: Kind, input: LinesInput, defaults: LineRunOptions["defaults"]) {
  yield* checkPlace(input)
  const file = input.file === "-" ? yield* copyStdin(input) : input.file
  const options: LineRunOptions = {
    input: file,
    format: Option.getOrUndefined(input.format),
    columns: input.column,
    failedIn: Option.getOrUndefined(input.failedIn),
    defaults,
    folder: Option.getOrUndefined(input.journalFolder),
    concurrency: Option.getOrUndefined(input.concurrency),
    validate: input.validate,
    atLeastOnce: input.atLeastOnce,
    serviceHonoursKeys: input.honoursKeys,
    keyRetentionMs: Option.getOrUndefined(input.keyRetention),
    again: input.again
  }
  const found = yield* Effect.mapError(showProgress(kind.check(options), input.quiet), runFailure)
  if (found.invalidLines > 0 && (input.dryRun || input.validate === "before")) return yield* printIssues(file, found)
  const { report } = yield* Process
  if (input.dryRun) return yield* printDryRun(file, found)
  if (Option.isSome(input.cluster)) {
    const { submitToCluster } = yield* Effect.promise(() => import("./cluster/Submit.ts"))
    const submitted = { ...options, kind: kind.kind, file, stage: input.stage }
    return yield* submitToCluster({ ...input, cluster: input.cluster.value, options: submitted }, found)
  }
  const connection = yield* chooseConnection(input)
  yield* requireWritable(connection)
  yield* confirmWrite(connection, `${kind.kind} ${counted(found.lines, "line")} of ${file}`, input.yes)
  const place = placeOf(connection)
  const { concurrency } = options
  const note = (message: string) => (input.quiet ? Effect.void : report(`${message}\n`))
  const work = kind.start({ ...options, ...place }).pipe(
    // The same command, started again after a crash or by a scheduler, does what is left.
    Effect.catchTag("RunUnfinished", (error) =>
      error.isSameWork
        ? Effect.andThen(note(`Continuing run ${error.id}`), resume(error.journal, { concurrency, ...place }))
        : error
    ),
    Effect.catchTag("RunFinished", ({ journal, message }) =>
      Effect.andThen(note(`${message}; nothing was sent. To send them again, add --again`), status(journal))
    )
  )
  yield* workOn(connection, input, file, work)
}, Effect.scoped)

/** Creates or updates the credentials on every line of a file. */
export const importLines = (input: ImportInput) =>
  doLines(
    { check: checkImport, start: startImport, kind: "import" },
    input,
    defaultsOf({ providerId: input.provider, integrationIdentifier: input.integration })
  )

/** Marks the messages on every line of a file. */
export const markLines = (input: MarkInput) =>
  doLines({ check: checkMark, start: startMark, kind: "mark" }, input, defaultsOf({ markAs: input.as }))
