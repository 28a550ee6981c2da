import {
  checkImport,
  checkMark,
  issueLine,
  type LineRunOptions,
  type Scan,
  startImport,
  startMark
} from "@signalbox/bulk"
import { counted } from "@signalbox/operator/text/Counted"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { chooseConnection, confirmWrite, requireWritable } from "../../connection/Connection.ts"
import { UsageError } from "../../failure/CommandError.ts"
import type { OutputOptions } from "../../output/OutputFlags.ts"
import { Process } from "../../process/Process.ts"
import { serviceOf, workOn } from "./RunCommand.ts"
import { runFailure } from "./RunFailure.ts"

interface LinesInput extends OutputOptions {
  readonly file: string
  readonly format: Option.Option<"ndjson" | "csv">
  readonly column: Readonly<Record<string, string>>
  readonly validate: "before" | "during"
  readonly dryRun: boolean
  readonly honoursKeys: boolean
  readonly concurrency: number
  readonly atLeastOnce: boolean
  readonly journalFolder: Option.Option<string>
  readonly yes: boolean
  readonly connection: Option.Option<string>
}

/** What `bulk import` was asked to do. */
export interface ImportInput extends LinesInput {
  readonly provider: Option.Option<string>
  readonly integration: Option.Option<string>
}

/** What `bulk mark` was asked to do. */
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

interface Kind {
  readonly check: typeof checkImport
  readonly start: typeof startImport
  readonly verb: string
}

const doLines = Effect.fnUntraced(function* (kind: Kind, input: LinesInput, defaults: LineRunOptions["defaults"]) {
  const { file } = input
  const options: LineRunOptions = {
    input: file,
    format: Option.getOrUndefined(input.format),
    columns: input.column,
    defaults,
    folder: Option.getOrUndefined(input.journalFolder),
    concurrency: input.concurrency,
    validate: input.validate,
    atLeastOnce: input.atLeastOnce,
    serviceHonoursKeys: input.honoursKeys
  }
  const found = yield* Effect.mapError(kind.check(options), runFailure)
  if (found.invalidLines > 0 && (input.dryRun || input.validate === "before")) return yield* printIssues(file, found)
  const { report } = yield* Process
  if (input.dryRun) return yield* report(`${file}: ${counted(found.lines, "line")}, none invalid; nothing was sent\n`)
  const connection = yield* chooseConnection(input.connection)
  yield* requireWritable(connection)
  yield* confirmWrite(connection, `${kind.verb} ${counted(found.lines, "line")} of ${file}`, input.yes)
  yield* workOn(connection, input, file, kind.start({ ...options, service: serviceOf(connection) }))
})

/** Creates or updates the credentials on every line of a file. */
export const importLines = (input: ImportInput) =>
  doLines(
    { check: checkImport, start: startImport, verb: "import" },
    input,
    defaultsOf({ providerId: input.provider, integrationIdentifier: input.integration })
  )

/** Marks the messages on every line of a file. */
export const markLines = (input: MarkInput) =>
  doLines({ check: checkMark, start: startMark, verb: "mark" }, input, defaultsOf({ markAs: input.as }))
