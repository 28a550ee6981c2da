/**
 * The journals in a folder: `<name of the file>.<id of the run>.journal`.
 */
import * as Effect from "effect/Effect"
import { basename, dirname, join, resolve } from "node:path"
import { Disk, type Files, entryAt } from "../file/Disk.ts"
import { sha256Of, textOf } from "../file/FileLines.ts"
import { fileError } from "../file/SystemError.ts"
import { type FileError, RunNotFound } from "../RunError.ts"
import { lastRecords } from "./Frame.ts"
import { indexedRuns, realPathOf } from "./RunIndex.ts"

const extension = ".journal"
const idPattern = /\.((?:import|mark|export)-\d{8}T\d{6}Z-[0-9a-f]{8})\.journal$/

/** Path of the journal of a run; `base` is the file of the run in the folder of the journals. */
export const journalPath = (base: string, id: string): string => `${base}.${id}${extension}`

/** A run that has a journal in a folder. */
export interface FoundRun {
  readonly id: string
  readonly journal: string
  /** How it ended; `undefined` for a run that can be resumed. */
  readonly end: "finished" | "cancelled" | undefined
}

/** Longer than a commit that says that a run is over, which has no other record. */
const tailBytes = 4096

/** How the run of a journal ended, by its last commit. */
export const endOf = async (disk: Files, journal: string, id: string): Promise<FoundRun["end"]> => {
  const { bytes } = await disk.stat(journal)
  const text = await textOf(disk, journal, Math.max(0, bytes - tailBytes))
  const line = text.endsWith("\n") ? text.trimEnd().split("\n").at(-1) : undefined
  const last = lastRecords(id, Buffer.from(line ?? ""))?.at(-1)
  const type = last !== undefined && "type" in last ? last.type : undefined
  return type === "finished" || type === "cancelled" ? type : undefined
}

const journalsIn = async (disk: Files, folder: string, prefix: string): Promise<ReadonlyArray<FoundRun>> => {
  const found: Array<FoundRun> = []
  for (const name of [...(await disk.list(folder))].sort()) {
    const id = idPattern.exec(name)?.[1]
    if (id === undefined || !name.startsWith(prefix)) continue
    const journal = join(folder, name)
    found.push({ id, journal, end: await endOf(disk, journal, id) })
  }
  return byTime(found)
}

// Ids sort by kind, then by time.
const timeOf = (id: string): string => id.slice(id.indexOf("-"))

/** Runs, oldest first. */
export const byTime = <Run extends { readonly id: string }>(runs: ReadonlyArray<Run>): ReadonlyArray<Run> =>
  [...runs].sort((a, b) => (timeOf(a.id) < timeOf(b.id) ? -1 : 1))

/** The runs whose journals are in a folder and start with a prefix, oldest first. */
const runsIn = (folder: string, prefix = ""): Effect.Effect<ReadonlyArray<FoundRun>, FileError> =>
  Effect.flatMap(Disk, (disk) =>
    Effect.tryPromise({ try: () => journalsIn(disk, folder, prefix), catch: fileError("read the folder", folder) })
  )

/** The runs of one file, oldest first. */
export const runsOf = (base: string): Effect.Effect<ReadonlyArray<FoundRun>, FileError> =>
  runsIn(dirname(base), `${basename(base)}.`)

/**
 * The journal that a name means: the path of a journal, the id of a run, the path of the input or
 * output file of a run whose journal is next to it or in the index, or a folder of journals; of several runs the newest.
 */
export const findJournal = Effect.fnUntraced(function* (
  run: string
): Effect.fn.Return<string, RunNotFound | FileError> {
  const path = resolve(run)
  if (path.endsWith(extension)) return path
  if ((yield* entryAt(path))?.type === "folder") {
    const newest = (yield* runsIn(path)).at(-1)
    if (newest !== undefined) return newest.journal
    return yield* new RunNotFound({ message: `no run in ${path}; give the input file of the run, or its journal` })
  }
  const newest = (yield* runsOf(path)).at(-1) ?? (yield* runsIn(dirname(path))).find(({ id }) => id === basename(path))
  if (newest !== undefined) return resolve(newest.journal)
  const real = yield* realPathOf(path)
  const known = byTime(yield* indexedRuns)
  const elsewhere = known.findLast(({ file, id }) => file === real || id === run)
  if (elsewhere !== undefined) return elsewhere.journal
  const disk = yield* Disk
  const hash = yield* Effect.promise(() => sha256Of(disk, path).catch(() => undefined))
  const renamed = known.findLast(({ sha256 }) => sha256 !== undefined && sha256 === hash)
  if (renamed !== undefined) return renamed.journal
  const message = `no run of ${run} in ${dirname(path)}; give the path of its journal, which ends in ${extension}`
  return yield* new RunNotFound({ message })
})
