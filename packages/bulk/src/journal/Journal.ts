/**
 * The journal of a run: an append-only file of commits, written by one process at a time.
 */
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import { Disk } from "../file/Disk.ts"
import { systemError } from "../file/SystemError.ts"
import { JournalError } from "../RunError.ts"
import { frameOf } from "./Frame.ts"
import type { JournalRecord, RunHeader } from "./JournalRecord.ts"
import type { Recovered } from "./Recovery.ts"
import type { Held } from "./RunLock.ts"

/** A journal that is open for writing. */
export interface Journal {
  /** Adds records; they become durable together with the next commit, at the latest after 50 ms. */
  readonly append: (...records: ReadonlyArray<JournalRecord>) => Effect.Effect<void, JournalError>
  /** Makes everything durable that was added so far. */
  readonly commit: Effect.Effect<void, JournalError>
  /** Fails when another machine has taken over the run. */
  readonly verify: Effect.Effect<void, JournalError>
}

// Far below the longest line that is read whole: every worker may add one more record before it waits.
const waitAboveBytes = 256 * 1024

const failed = (operation: "create" | "write", path: string, advice: string) => (cause: unknown) => {
  const { meaning, ...code } = systemError(cause)
  return new JournalError({
    message: `cannot ${operation} the journal ${path}: ${meaning}${advice}`,
    journal: path,
    ...code
  })
}

/** Creates a journal with its header, whole or not at all. Fails when the file exists. */
export const create = (path: string, header: RunHeader): Effect.Effect<void, JournalError> =>
  Effect.flatMap(Disk, (disk) =>
    Effect.tryPromise({
      try: () => disk.create(path, frameOf(header.id, 0, [JSON.stringify(header)]).toString()),
      catch: failed("create", path, "; nothing was sent")
    })
  )

/**
 * Opens a journal for writing after its last commit; a write that a crash cut off is removed. Closing the scope commits
 * what is left and closes the file.
 */
export const openForWriting = Effect.fnUntraced(function* (
  path: string,
  { commits, header, validBytes }: Pick<Recovered, "commits" | "header" | "validBytes">,
  held: Held
): Effect.fn.Return<Journal, JournalError, Scope.Scope> {
  const disk = yield* Disk
  const unwritten = failed("write", path, ". Resume the run when this is fixed; recorded outcomes are kept")
  const attempt = <A>(act: () => Promise<A>) => Effect.tryPromise({ try: act, catch: unwritten })
  const file = yield* Effect.acquireRelease(
    attempt(() => disk.open(path)),
    (opened) => Effect.promise(() => opened.close().catch(() => {}))
  )
  yield* attempt(() => file.truncate(validBytes))
  const oneWrite = yield* Semaphore.make(1)
  let position = validBytes
  let number = commits
  let pending: Array<string> = []
  let pendingBytes = 0
  /** The write that has not started yet. */
  let next: Effect.Effect<void, JournalError> | undefined
  let failure: JournalError | undefined

  const writePending = attempt(async () => {
    const bytes = frameOf(header.id, number++, pending)
    pending = []
    pendingBytes = 0
    await file.write(bytes, position)
    await file.sync()
    position += bytes.length
  })

  const verify = Effect.mapError(held.verify, ({ message }) => new JournalError({ message, journal: path }))

  // Another process must not find commits of this one after it has taken over.
  const write = verify.pipe(
    Effect.andThen(writePending),
    Effect.tapError((error) =>
      Effect.sync(() => {
        failure = error
      })
    )
  )

  const writeNext = Effect.suspend(() => {
    next = undefined
    if (failure !== undefined) return Effect.fail(failure)
    return pending.length === 0 ? Effect.void : write
  })

  /** Waits while callers of the same moment add records. Each waits for its commit, so they become fewer. */
  const added = Effect.gen(function* () {
    for (let known = -1; known < pending.length;) {
      known = pending.length
      yield* Effect.yieldNow
    }
  })

  // Callers of the same moment share a write, and those that arrive during a write the next one.
  const commit = Effect.gen(function* () {
    next ??= yield* Effect.cached(
      Effect.uninterruptible(Semaphore.withPermit(oneWrite, Effect.andThen(added, writeNext)))
    )
    yield* next
  })

  const append = (...records: ReadonlyArray<JournalRecord>): Effect.Effect<void, JournalError> =>
    Effect.suspend(() => {
      if (failure !== undefined) return Effect.fail(failure)
      for (const text of records.map((record) => JSON.stringify(record))) {
        pending.push(text)
        pendingBytes += text.length
      }
      return pendingBytes > waitAboveBytes ? commit : Effect.void
    })

  yield* Effect.addFinalizer(() => Effect.ignore(commit))
  yield* Effect.forkScoped(Effect.ignore(Effect.repeat(commit, Schedule.spaced("50 millis"))))
  return { append, commit, verify }
})
