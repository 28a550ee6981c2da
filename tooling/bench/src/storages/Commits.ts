/**
 * Commits of claims and outcomes on one machine: in the journal, or in SQLite.
 */
import * as Journal from "@signalbox/bulk/internal/journal/Journal"
import { type LineRunHeader, journalVersion } from "@signalbox/bulk/internal/journal/JournalRecord"
import { recover } from "@signalbox/bulk/internal/journal/Recovery"
import * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { performance } from "node:perf_hooks"
import { DatabaseSync } from "node:sqlite"

/** The cost of a storage, and the damage that it does not notice. */
export interface CommitCosts {
  /** Milliseconds of a durable commit of 16 claims and 16 outcomes. */
  readonly commitMs: number
  /** Of these, milliseconds in which the process does nothing else, such as its calls in flight. */
  readonly occupiedMs: number
  /** Microseconds of processor time for a line. */
  readonly cpuOfLine: number
  /** Changed bytes that lose more than the last commit without an error. */
  readonly unnoticed: number
  /** Bytes that were changed, one at a time. */
  readonly damaged: number
}

const linesOfCommit = 16
const warmCommits = 1000
const timedCommits = 1000
/** Commits of a file that is damaged. */
const damagedCommits = 40
const maxDamaged = 2000

interface Storage {
  /** The file with the last commits. */
  readonly file: string
  /** Claims some lines, and records the outcomes of those before. */
  readonly commit: (first: number) => Effect.Effect<void>
  /** How many claimed lines a process finds that continues with these files; none where it refuses them. */
  readonly recovered: (folder: string) => Effect.Effect<number | undefined>
}

const sqlite =
  (mode: "WAL" | "DELETE") =>
  (folder: string): Effect.Effect<Storage, never, Scope.Scope> =>
    Effect.gen(function* () {
      const database = yield* Effect.acquireRelease(
        Effect.sync(() => new DatabaseSync(join(folder, "run.db"))),
        (opened) => Effect.sync(() => opened.close())
      )
      database.exec(`PRAGMA journal_mode = ${mode}; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 1000`)
      database.exec("CREATE TABLE lines (line INTEGER PRIMARY KEY, at INTEGER NOT NULL, outcome INTEGER)")
      const claim = database.prepare("INSERT INTO lines (line, at) VALUES (?, 1700000000000)")
      const record = database.prepare("UPDATE lines SET outcome = 1 WHERE line = ?")
      return {
        file: mode === "WAL" ? "run.db-wal" : "run.db",
        commit: (first) =>
          Effect.sync(() => {
            database.exec("BEGIN")
            for (const line of Arr.range(first, first + linesOfCommit - 1)) {
              claim.run(line)
              record.run(line - linesOfCommit)
            }
            database.exec("COMMIT")
          }),
        recovered: (copy) =>
          Effect.sync(() => {
            const found = new DatabaseSync(join(copy, "run.db"))
            try {
              const { integrity_check: state } = found.prepare("PRAGMA integrity_check").get() ?? {}
              return state === "ok"
                ? Number(found.prepare("SELECT count(*) AS lines FROM lines").get()?.["lines"])
                : undefined
            } catch {
              return undefined
            } finally {
              found.close()
            }
          })
      }
    })

const header: LineRunHeader = {
  type: "run",
  version: journalVersion,
  id: "import-20261122T043951Z-f73587bb",
  createdAt: "2026-11-22T04:39:51.000Z",
  kind: "import",
  input: { path: "tokens.ndjson", format: "ndjson", bytes: 1, sha256: "", sample: [], lines: 1, lastLine: 1 },
  columns: {},
  defaults: {},
  atLeastOnce: false,
  serviceHonoursKeys: false,
  keyRetentionMs: 3_600_000
}

const journal = (folder: string): Effect.Effect<Storage, never, Scope.Scope> =>
  Effect.gen(function* () {
    const file = "run.journal"
    const path = join(folder, file)
    yield* Journal.create(path, header)
    // Its lock is verified once in 15 s, which no commit notices.
    const held = { verify: Effect.void, gone: new Set<string>() }
    const { append, commit } = yield* Journal.openForWriting(path, yield* recover(path), held)
    return {
      file,
      commit: (first) => {
        const lines = Arr.range(first, first + linesOfCommit - 1)
        const claims = lines.map((line) => ({ type: "claimed" as const, lines: [line], at: 1_700_000_000_000 }))
        const done = lines.map((line) => line - linesOfCommit).filter((line) => line > 0)
        const outcomes = done.map((line) => ({ line, outcome: "succeeded" as const }))
        return Effect.orDie(Effect.andThen(append(...claims, ...outcomes), commit))
      },
      recovered: (copy) =>
        Effect.match(recover(join(copy, file)), {
          onFailure: () => undefined,
          onSuccess: ({ states }) => states.claimed + states.counts().succeeded
        })
    } satisfies Storage
  }).pipe(Effect.orDie)

/** The storages by name. */
export const storages = {
  journal,
  "SQLite, write-ahead log": sqlite("WAL"),
  "SQLite, rollback journal": sqlite("DELETE")
}

const commitAll = ({ commit }: Storage, after: number, commits: number) =>
  Effect.forEach(Arr.range(after, after + commits - 1), (at) => commit(at * linesOfCommit + 1), { discard: true })

const timeCommits = Effect.fnUntraced(function* (storage: Storage) {
  yield* commitAll(storage, 0, warmCommits)
  const loopBefore = performance.eventLoopUtilization()
  const cpuBefore = process.cpuUsage()
  yield* commitAll(storage, warmCommits, timedCommits)
  const { system, user } = process.cpuUsage(cpuBefore)
  const { active, idle } = performance.eventLoopUtilization(loopBefore)
  return {
    commitMs: (active + idle) / timedCommits,
    occupiedMs: active / timedCommits,
    cpuOfLine: (system + user) / timedCommits / linesOfCommit
  }
})

/** Changes bytes in copies of the files of a process that has not closed them. */
const damageFiles = Effect.fnUntraced(function* (storage: Storage, folder: string) {
  yield* commitAll(storage, 0, damagedCommits)
  const files = readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))] as const)
  const bytes = readFileSync(join(folder, storage.file))
  const places = Arr.range(0, bytes.length - 1).filter((at) => at % Math.ceil(bytes.length / maxDamaged) === 0)
  const isLost = Effect.fnUntraced(function* (at: number) {
    const copy = mkdtempSync(join(tmpdir(), "bench-damage-"))
    for (const [name, content] of files) writeFileSync(join(copy, name), content)
    const changed = Buffer.from(bytes)
    changed[at] = (bytes[at] ?? 0) ^ 4
    writeFileSync(join(copy, storage.file), changed)
    const lines = yield* storage.recovered(copy)
    rmSync(copy, { recursive: true })
    return lines !== undefined && lines < (damagedCommits - 1) * linesOfCommit
  })
  return { unnoticed: (yield* Effect.filter(places, isLost)).length, damaged: places.length }
})

/** Measures a storage. */
export const measureCommits = (make: (folder: string) => Effect.Effect<Storage, never, Scope.Scope>) => {
  const inFolder = <A>(measure: (storage: Storage, folder: string) => Effect.Effect<A>) =>
    Effect.scoped(
      Effect.gen(function* () {
        const folder = yield* Effect.acquireRelease(
          Effect.sync(() => mkdtempSync(join(tmpdir(), "bench-commits-"))),
          (path) => Effect.sync(() => rmSync(path, { recursive: true }))
        )
        return yield* measure(yield* make(folder), folder)
      })
    )
  return Effect.zipWith(inFolder(timeCommits), inFolder(damageFiles), (costs, damage): CommitCosts => ({
    ...costs,
    ...damage
  }))
}
