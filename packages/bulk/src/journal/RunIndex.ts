/**
 * The index of runs in the user's state folder: one small file for each run, which says where its journal is. It finds
 * runs whose journals are elsewhere, and an input that was copied or moved.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { createHash } from "node:crypto"
import { homedir } from "node:os"
import { isAbsolute, join, resolve } from "node:path"
import { Disk, type Files } from "../file/Disk.ts"
import { textOf } from "../file/FileLines.ts"
import { fileError } from "../file/SystemError.ts"
import type { FileError } from "../RunError.ts"

const IndexedRun = Schema.Struct({
  id: Schema.String,
  /** Path of the input, or of the output of an export, without symbolic links. */
  file: Schema.String,
  /** Hash of the input; absent for an export. */
  sha256: Schema.optionalKey(Schema.String),
  /** Path of the journal. */
  journal: Schema.String,
  /** The service that its lines are sent to, and the name of the connection. */
  service: Schema.optionalKey(Schema.String),
  connection: Schema.optionalKey(Schema.String)
})

/** A run as the index knows it. */
export type IndexedRun = typeof IndexedRun.Type

/**
 * The folder of the index. By default `signalbox/bulk` in `XDG_STATE_HOME`, or in `.local/state` of the user's home.
 */
export const StateFolder = Context.Reference<() => string>("signalbox/bulk/StateFolder", {
  defaultValue: () => () => {
    const { XDG_STATE_HOME = "" } = process.env
    return join(isAbsolute(XDG_STATE_HOME) ? XDG_STATE_HOME : join(homedir(), ".local", "state"), "signalbox", "bulk")
  }
})

const folder = Effect.map(StateFolder, (pathOf) => pathOf())

const extension = ".run.json"

const fileOf = (state: string, id: string): string => join(state, `${id}${extension}`)

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(IndexedRun))

interface Entry {
  readonly path: string
  /** Absent where the file is damaged. */
  readonly run: IndexedRun | undefined
  /** Whether its journal exists. */
  readonly isThere: boolean
}

const read = async (disk: Files, state: string): Promise<ReadonlyArray<Entry>> => {
  const entries: Array<Entry> = []
  for (const name of await disk.list(state)) {
    if (!name.endsWith(extension)) continue
    const path = join(state, name)
    // Another process may delete a run at any moment.
    const text = await textOf(disk, path).catch(() => undefined)
    if (text === undefined) continue
    const run = Option.getOrUndefined(decode(text))
    const isThere = run !== undefined && (await disk.stat(run.journal).then(Boolean, () => false))
    entries.push({ path, run, isThere })
  }
  return entries
}

const allEntries = Effect.gen(function* () {
  const disk = yield* Disk
  const state = yield* folder
  return yield* Effect.promise(() => read(disk, state).catch((): ReadonlyArray<Entry> => []))
})

const runsWhere = (journals: { readonly exist: boolean }): Effect.Effect<ReadonlyArray<IndexedRun>> =>
  Effect.map(allEntries, (entries) =>
    entries.flatMap(({ isThere, run }) => (run !== undefined && isThere === journals.exist ? [run] : []))
  )

/** The runs of the index whose journals exist, in no order; none where there is no index. */
export const indexedRuns = runsWhere({ exist: true })

/** Those whose journals were moved or deleted. */
export const lostRuns = runsWhere({ exist: false })

/** Files of the index that do not say which input a run sent, because they are damaged. */
export const damagedFiles = Effect.map(allEntries, (entries) =>
  entries.flatMap(({ path, run }) => (run === undefined ? [path] : []))
)

/** The path of a file without symbolic links, also for one that does not exist. */
export const realPathOf = (path: string): Effect.Effect<string> =>
  Effect.flatMap(Disk, (disk) => Effect.promise(() => disk.realPath(path).catch(() => resolve(path))))

const notWritable = (state: string) =>
  fileError("write the index of runs in", state, ". Set XDG_STATE_HOME to a folder that can be written")

/** Creates the folder of the index, unless it exists, and returns it. */
export const createIndex: Effect.Effect<string, FileError> = Effect.gen(function* () {
  const disk = yield* Disk
  const state = yield* folder
  yield* Effect.tryPromise({ try: () => disk.createFolder(state), catch: notWritable(state) })
  return state
})

/** Creates the index, and returns the name of the lock of a file in it. */
export const lockOf = (file: string): Effect.Effect<string, FileError> =>
  Effect.map(createIndex, (state) => join(state, createHash("sha256").update(file).digest("hex")))

/** Adds a run. */
export const addRun = Effect.fnUntraced(function* (run: IndexedRun): Effect.fn.Return<void, FileError> {
  const disk = yield* Disk
  const state = yield* folder
  const text = JSON.stringify(run)
  yield* Effect.tryPromise({ try: () => disk.create(fileOf(state, run.id), text), catch: notWritable(state) })
})

/** Removes a run. */
export const removeRun = Effect.fnUntraced(function* (id: string): Effect.fn.Return<void> {
  const disk = yield* Disk
  const state = yield* folder
  yield* Effect.promise(() => disk.remove(fileOf(state, id)).catch(() => {}))
})
