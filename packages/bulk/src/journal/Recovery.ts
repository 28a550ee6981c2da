/**
 * Reads a journal: the run, and the state of each line.
 */
import * as Effect from "effect/Effect"
import { Disk, type Files } from "../file/Disk.ts"
import { systemError } from "../file/SystemError.ts"
import { JournalError } from "../RunError.ts"
import type { Halt } from "../RunStatus.ts"
import { notReadable, openFrames } from "./Frame.ts"
import { isOutcome, type JournalRecord, otherEnvironment, type RunHeader } from "./JournalRecord.ts"
import { LineStates } from "./LineStates.ts"

/**
 * Events that an export remembers to write none twice. A listing moves while the walk is pinned to the second in which it
 * was started, so duplicates can be more than one page apart.
 */
export const rememberedEvents = 10_000

/** Progress of an export. */
export interface ExportedPages {
  readonly events: number
  /** Where the last {@link rememberedEvents} events of the output start, or a few more. */
  readonly rememberedFrom: number
  /** Bytes of the output that are recorded. */
  readonly bytes: number
  /** Where the walk continues; absent before the first page, and after the last one. */
  readonly cursor?: string | undefined
  readonly isLast: boolean
}

/** The content of a journal. */
export interface Recovered {
  readonly header: RunHeader
  readonly states: LineStates
  /** 1 for the first pass; each retry of the failed lines is another one. */
  readonly pass: number
  /** Whether lines that may have been applied are sent again although the service is not known to honour keys. */
  readonly atLeastOnce: boolean
  readonly keysHonoured: boolean
  /** Id of the environment that the run works on; `undefined` before the first response. */
  readonly environment: string | undefined
  /** Name of the connection over which a line may have been applied, or else of the last one; `undefined` without one. */
  readonly connection: string | undefined
  /** Digest of the last API key; `undefined` where no caller told one. */
  readonly key: string | undefined
  /** Digest of a key that led to another environment; `undefined` where none did. */
  readonly foreignKey: string | undefined
  /** The last record about the run as a whole; `undefined` while it runs, and after a crash. */
  readonly end: "stopped" | "finished" | Halt | undefined
  readonly pages: ExportedPages
  /** Commits, the header included. */
  readonly commits: number
  /** Bytes up to the end of the last commit; a crash left the bytes after them. */
  readonly validBytes: number
}

type Mutable<A> = { -readonly [Key in keyof A]: A[Key] }

const makeApply = (known: Mutable<Recovered>) => {
  const { states } = known
  /** Lines that an earlier process may have sent. */
  let inDoubt: ReadonlySet<number> = new Set()
  /** Events before each of the last pages, and where they start in the output. */
  const lastPages: Array<{ readonly before: number; readonly from: number }> = []
  /** Another process continues the run. */
  const takeUp = (connection = known.connection): void => {
    inDoubt = new Set(states.claimedLines())
    known.end = undefined
    if (known.environment === undefined && !states.mayHaveBeenApplied) known.connection = connection
  }
  return (record: JournalRecord): void => {
    if (isOutcome(record)) {
      const { line, mayHaveBeenAppliedTwice = false, nextGeneration = 0, outcome, reason } = record
      if (reason === otherEnvironment) known.foreignKey = known.key
      states.record(line, outcome, known.pass, nextGeneration, mayHaveBeenAppliedTwice)
      return
    }
    switch (record.type) {
      case "claimed":
        known.end = undefined
        for (const line of record.lines) if (states.isPending(line, known.pass)) states.claim(line, record)
        return
      case "page":
        known.end = undefined
        lastPages.push({ before: known.pages.events, from: record.from })
        while ((lastPages[1]?.before ?? Infinity) + rememberedEvents <= known.pages.events) lastPages.shift()
        known.pages = {
          events: known.pages.events + record.events,
          rememberedFrom: lastPages[0]?.from ?? 0,
          bytes: record.to,
          cursor: record.cursor,
          isLast: record.cursor === undefined
        }
        return
      case "environment":
        known.environment = record.id
        return
      case "key":
        known.key = record.digest
        return
      case "keysHonoured":
        known.keysHonoured = true
        return
      case "resumed":
        takeUp(record.connection)
        return
      case "pass":
        takeUp(record.connection)
        known.pass = record.pass
        known.atLeastOnce = record.atLeastOnce
        return
      case "stopped":
        for (const line of states.claimedLines()) if (!inDoubt.has(line)) states.claim(line, undefined)
        known.end = "stopped"
        return
      case "finished":
      case "paused":
      case "cancelled":
        known.end = record.type
    }
  }
}

const start = (header: RunHeader, validBytes: number): Mutable<Recovered> => ({
  header,
  states: new LineStates(),
  pass: 1,
  atLeastOnce: header.kind !== "export" && header.atLeastOnce,
  keysHonoured: header.kind !== "export" && header.serviceHonoursKeys,
  environment: undefined,
  connection: header.connection,
  key: undefined,
  foreignKey: undefined,
  end: undefined,
  pages: { events: 0, rememberedFrom: 0, bytes: 0, isLast: false },
  commits: 1,
  validBytes
})

const attempt = <A>(path: string, act: () => Promise<A>): Effect.Effect<A, JournalError> =>
  Effect.tryPromise({
    try: act,
    catch: (cause) => (cause instanceof JournalError ? cause : notReadable(path, systemError(cause).meaning))
  })

const read = async (disk: Files, path: string): Promise<Recovered> => {
  const { frames, header, headerEnd } = await openFrames(disk, path)
  const known = start(header, headerEnd)
  const apply = makeApply(known)
  for await (const { end, number, records } of frames) {
    for (const record of records) apply(record)
    known.commits = number + 1
    known.validBytes = end
  }
  return known
}

/** Reads a journal without changing it; also one that another process is writing. */
export const recover = (path: string): Effect.Effect<Recovered, JournalError> =>
  Effect.flatMap(Disk, (disk) => attempt(path, () => read(disk, path)))
