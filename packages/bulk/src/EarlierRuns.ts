/**
 * Keeps two runs from sending the same input: at the same time, or one after the other.
 */
import type { Events } from "@signalbox/core/Events"
import { Warnings } from "@signalbox/core/Policies"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type * as Scope from "effect/Scope"
import * as Struct from "effect/Struct"
import { basename, dirname, join, resolve } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { Disk } from "./file/Disk.ts"
import { hasRepeats, type Sample } from "./input/Repeats.ts"
import type { LineRunHeader, RunHeader } from "./journal/JournalRecord.ts"
import { recover } from "./journal/Recovery.ts"
import { headerOf } from "./journal/Frame.ts"
import * as RunFolder from "./journal/RunFolder.ts"
import * as RunIndex from "./journal/RunIndex.ts"
import * as RunLock from "./journal/RunLock.ts"
import { environmentOfClient, keyDigest } from "./run/Environment.ts"
import { FileError, type JournalError, RunFinished, type RunLocked, RunStateError, RunUnfinished } from "./RunError.ts"

/** A file whose runs have their journals in a folder. */
export interface RunFile {
  /** Path of the input, or of the output of an export, without symbolic links. */
  readonly file: string
  readonly folder: string
  /** Whether the journals are in another folder than the file, so that only the index finds them. */
  readonly isElsewhere: boolean
}

/** A file whose runs have their journals in a folder, by default next to it. */
export const runFileOf = Effect.fnUntraced(function* (path: string, given?: string): Effect.fn.Return<RunFile> {
  const own = dirname(resolve(path))
  const folder = resolve(given ?? own)
  return { file: yield* RunIndex.realPathOf(path), folder, isElsewhere: folder !== own }
})

/** The name of the files of a run in the folder of its journal. */
export const baseOf = ({ file, folder }: RunFile): string => join(folder, basename(file))

/**
 * Holds the file until the scope closes; fails if a live process holds it, wherever its journal is. Where the
 * journals are next to the file, a missing index is no reason to fail: the lock next to it is held too.
 */
export const hold = Effect.fnUntraced(function* (
  run: RunFile
): Effect.fn.Return<RunLock.Held, RunLocked | FileError, Scope.Scope> {
  const held = yield* RunLock.acquire(baseOf(run))
  const inIndex = Effect.flatMap(RunIndex.lockOf(run.file), (base) => RunLock.acquire(base, held.gone))
  yield* run.isElsewhere ? inIndex : Effect.catchTag(inIndex, "FileError", () => Effect.void)
  return held
})

/** Runs without a journal that sent the same input to the same service: elsewhere, its lines are not applied twice. */
const lostLike = ({ connection, service, sha256 }: Pick<RunIndex.IndexedRun, "connection" | "service" | "sha256">) =>
  Effect.map(RunIndex.lostRuns, (runs) =>
    runs.filter(
      (run) =>
        sha256 !== undefined &&
        run.sha256 === sha256 &&
        service !== undefined &&
        run.service === service &&
        run.connection === connection
    )
  )

/** Adds a run to the index, and removes those of the same input that have no journal any more. */
export const register = Effect.fnUntraced(function* (
  run: RunFile,
  header: RunHeader,
  journal: string
): Effect.fn.Return<void, FileError> {
  const indexed = indexedAs(run, header, journal)
  for (const { id } of yield* lostLike(indexed)) yield* RunIndex.removeRun(id)
  const added = RunIndex.addRun(indexed)
  yield* run.isElsewhere ? added : Effect.ignore(added)
})

const indexedAs = ({ file }: RunFile, header: RunHeader, journal: string): RunIndex.IndexedRun => ({
  ...Struct.pick(header, ["id", "service", "connection"]),
  file,
  ...(header.kind === "export" ? {} : { sha256: header.input.sha256 }),
  journal
})

/** Adds a run that is continued to the index, where it is missing or its journal was moved. */
export const registerAgain = Effect.fnUntraced(function* (
  run: RunFile,
  header: RunHeader,
  journal: string
): Effect.fn.Return<void> {
  yield* follow(run, [{ id: header.id, journal }])
  // An index without it, such as that of another machine, would not find its copies.
  yield* Effect.ignore(RunIndex.addRun(indexedAs(run, header, journal)))
})

/** Brings the index up to date with the runs of a file whose journals were moved. */
const follow = Effect.fnUntraced(function* (
  { file }: RunFile,
  runs: Iterable<Pick<RunIndex.IndexedRun, "id" | "journal">>
): Effect.fn.Return<void> {
  const journals = new Map(Array.from(runs, ({ id, journal }) => [id, journal]))
  for (const lost of yield* RunIndex.lostRuns) {
    const journal = journals.get(lost.id)
    if (journal === undefined) continue
    yield* RunIndex.removeRun(lost.id)
    yield* Effect.ignore(RunIndex.addRun({ ...lost, file, journal }))
  }
})

/** The runs of a file, those of the same content elsewhere, and those whose input has some of the same lines. */
const earlierRuns = Effect.fnUntraced(function* (run: RunFile, { sample = [], sha256 }: Partial<SentInput> = {}) {
  const disk = yield* Disk
  const found = new Map((yield* RunFolder.runsOf(baseOf(run))).map((each) => [each.journal, each]))
  yield* follow(run, found.values())
  for (const { file, id, journal, ...indexed } of yield* RunIndex.indexedRuns) {
    const hasSameLines = async () => {
      const header = await headerOf(disk, journal)
      return header.kind !== "export" && hasRepeats(header.input.sample, sample)
    }
    const isSame = file === run.file || (sha256 !== undefined && indexed.sha256 === sha256)
    if (!isSame && (sample.length === 0 || !(yield* Effect.promise(() => hasSameLines().catch(() => false))))) continue
    const end = yield* Effect.promise(() => RunFolder.endOf(disk, journal, id).catch(() => undefined))
    found.set(journal, { id, journal, end })
  }
  return RunFolder.byTime([...found.values()])
})

/** An input that an earlier run sent, or that a new one is to send. */
interface SentInput {
  readonly sha256: string
  readonly sample: Sample
}

/** The facts that decide the calls of a run for the lines of its input. */
interface Work {
  readonly kind?: RunHeader["kind"]
  readonly columns?: Readonly<Record<string, string>>
  readonly defaults?: Readonly<Record<string, string>>
}

/** Whether two headers describe the same calls for the same lines. */
export const isSameWork = (a: Work, b: Work): boolean =>
  isDeepStrictEqual([a.kind, a.columns, a.defaults], [b.kind, b.columns, b.defaults])

/** The refusal of a run whose lines would be sent with other keys. */
export const unfinished = (file: string, id: string, journal: string, isSameWork: boolean): RunUnfinished => {
  const message = `${basename(file)} has an unfinished run, ${id}. Resume it, or cancel it first`
  return new RunUnfinished({ message, id, journal, isSameWork })
}

/** The refusal of a run whose lines would be applied twice. */
export const finished = (file: string, id: string, journal: string): RunFinished =>
  new RunFinished({ message: `run ${id} of ${basename(file)} is finished`, id, journal, isSamePlace: true })

/** Where the calls of a run go. */
interface Place {
  readonly service?: string | undefined
  readonly connection?: string | undefined
  /** Set where those of both places are known. */
  readonly environment: string | undefined
}

const isSamePlace = (a: Place, b: Place): boolean => {
  if (a.environment !== undefined) return a.environment === b.environment
  return (
    a.service === undefined || b.service === undefined || (a.service === b.service && a.connection === b.connection)
  )
}

const nameOf = ({ connection, environment, service = "" }: Place): string =>
  [connection === undefined ? service : `"${connection}" (${service})`, environment && `environment ${environment}`]
    .filter(Boolean)
    .join(", ")

/** Refuses a new run while the same file has one that is not finished: its lines would be sent with other keys. */
export const refuseUnfinished = Effect.fnUntraced(function* (
  run: RunFile,
  header: Work = {},
  sha256?: string
): Effect.fn.Return<void, RunUnfinished | FileError | JournalError> {
  for (const { end, id, journal } of yield* earlierRuns(run, sha256 === undefined ? {} : { sha256 })) {
    if (end !== undefined) continue
    return yield* unfinished(run.file, id, journal, isSameWork(header, (yield* recover(journal)).header))
  }
})

/** An earlier run. */
interface SentRun {
  readonly id: string
  readonly end: RunFolder.FoundRun["end"] | null
  /** Whether the service may have applied a line. */
  readonly mayHaveBeenApplied: boolean
  readonly input: SentInput
  /** Whether it may have applied this line; each line when absent. */
  readonly isSent?: (line: number) => boolean
}

/** Why a new run would send lines again that an earlier one sent; `undefined` where it would not. */
export const sentBefore = (
  file: string,
  input: SentInput,
  { end, id, input: before, isSent, mayHaveBeenApplied }: SentRun
): RunStateError | "finished" | undefined => {
  const isSame = input.sha256 === before.sha256
  if (isSame && end === "finished") return "finished"
  if (!mayHaveBeenApplied || !(isSame || hasRepeats(before.sample, input.sample, isSent))) return undefined
  const found = isSame
    ? `run ${id} of ${basename(file)} was cancelled after it may have sent lines; bulk report --failed-input writes the rest to a separate file`
    : `run ${id} ${end ? "sent" : "sends"} lines of ${basename(file)}; put new and corrected lines into a file of their own`
  return new RunStateError({ id, message: `${found}, or send all lines again with the option again` })
}

/** Refuses a new run of lines that an earlier run sent: to the same environment, each would be applied twice. */
export const refuseSent = Effect.fnUntraced(function* (
  run: RunFile,
  header: LineRunHeader,
  apiKey: Redacted.Redacted<string> | undefined
): Effect.fn.Return<void, RunFinished | RunStateError | FileError | JournalError, Events> {
  const environmentNow = yield* Effect.cached(environmentOfClient)
  let elsewhere: RunFinished | undefined
  for (const { end, id, journal } of (yield* earlierRuns(run, header.input)).toReversed()) {
    const { connection, environment, header: known, key, states } = yield* recover(journal)
    if (known.kind === "export") continue
    if (known.input.sha256 === header.input.sha256 && !isSameWork(header, known)) continue
    // Lines of a run that has not ended can be applied at any moment; lines that failed can be sent again.
    const mayHaveBeenApplied = end === undefined || states.mayHaveBeenApplied
    const isSent = (line: number) => end === undefined || states.mayBeApplied(line)
    const reason = sentBefore(run.file, header.input, { id, end, mayHaveBeenApplied, input: known.input, isSent })
    if (reason === undefined) continue
    const found = environment === undefined || known.service !== header.service ? undefined : yield* environmentNow
    const before = { ...known, connection, environment: found && environment }
    const now = { ...header, environment: found }
    const own = keyDigest(id, apiKey)
    const isHere = isSamePlace(before, now)
    const isOtherKey = found === undefined && own !== undefined && key !== undefined && own !== key
    if (isHere && !isOtherKey) {
      return yield* reason === "finished" ? finished(run.file, id, journal) : reason
    }
    if (reason !== "finished") continue
    const begin = `run ${id} sent ${basename(run.file)}`
    const message = isHere
      ? `${begin} with another API key, which may be for another environment`
      : `${begin} to ${nameOf(before)}, not to ${nameOf(now)}`
    elsewhere ??= new RunFinished({ message, id, journal, isSamePlace: false })
  }
  if (elsewhere !== undefined) return yield* elsewhere
  const [damaged] = yield* RunIndex.damagedFiles
  if (damaged !== undefined) {
    const advice =
      "restore it from a backup, delete it if this input was not sent, or send all lines with the option again"
    return yield* new FileError({
      message: `cannot read which input a run sent from ${damaged}: it is damaged; ${advice}`,
      file: damaged
    })
  }
  const [lost] = yield* lostLike({ ...header, sha256: header.input.sha256 })
  if (lost === undefined) return
  const message = `run ${lost.id} had the same input, and its journal is missing: ${lost.journal}. Move it back, or send all lines again with the option again`
  return yield* new RunStateError({ id: lost.id, message })
})

/** Warns of an import of another file to the same service that is under way: both can change one entry at once. */
export const warnOfAnother = Effect.fnUntraced(function* (
  run: RunFile,
  service: string | undefined
): Effect.fn.Return<void> {
  const warn = Context.getOrUndefined(yield* Effect.context(), Warnings) ?? Effect.logWarning
  for (const { file, id, journal, ...indexed } of yield* RunIndex.indexedRuns) {
    if (file === run.file || !id.startsWith("import-") || indexed.service !== service) continue
    if ((yield* RunLock.holder(baseOf({ ...run, file, folder: dirname(journal) }))) === undefined) continue
    return yield* warn(
      `run ${id} imports ${file} at the same time; import files that share subscribers one after another, because services can lose tokens`
    )
  }
})
