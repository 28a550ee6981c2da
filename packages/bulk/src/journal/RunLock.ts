/**
 * Keeps two processes from working on the same run.
 *
 * The lock is a file named `<base>.lock.<n>` that names its owner. A contender creates the file with the next number,
 * which only one can do, and then checks that no other owner is alive. The file of a dead process does not count. Whether
 * a process of another machine is alive shows in its file, which it changes every few seconds.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"
import { Disk, type Files } from "../file/Disk.ts"
import { textOf } from "../file/FileLines.ts"
import { fileError, systemError } from "../file/SystemError.ts"
import { FileError, RunLocked } from "../RunError.ts"

/** Who holds a lock. */
interface Owner {
  readonly pid: number
  readonly host: string
  /** When the process started, so that another process with its number is not taken for it; empty where unknown. */
  readonly startedAt: string
}

/** State of a process, and its start in clock ticks since boot; empty where the system does not tell. */
const statOf = (pid: number): { readonly state: string; readonly startedAt: string } => {
  try {
    // The name of the program, in parentheses, may contain spaces.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? []
    return { state: fields[0] ?? "", startedAt: fields[19] ?? "" }
  } catch {
    return { state: "", startedAt: "" }
  }
}

const isAlive = (owner: Owner | undefined): owner is Owner => {
  // A file that names no owner protects nothing.
  if (owner === undefined) return false
  const { host, pid, startedAt } = owner
  // Only the other machine knows.
  if (host !== hostname()) return true
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (systemError(error).code === "ESRCH") return false
  }
  const found = statOf(pid)
  // A zombie has ended, and its parent has not noticed, as in containers whose first process does not expect children.
  return found.state !== "Z" && (startedAt === "" || startedAt === found.startedAt)
}

interface Found {
  readonly content: string
  readonly file: string
  readonly number: number
  /** `undefined` for a file that names none. */
  readonly owner: Owner | undefined
}

const ownerOf = (text: string): Owner | undefined => {
  const [pid, host, startedAt = ""] = text.split("\n")
  return host === undefined || !/^\d+$/.test(pid ?? "") ? undefined : { pid: Number(pid), host, startedAt }
}

const readLocks = async (disk: Files, base: string): Promise<ReadonlyArray<Found>> => {
  const prefix = `${basename(base)}.lock.`
  const held: Array<Found> = []
  for (const name of await disk.list(dirname(base))) {
    const number = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
    if (!Number.isInteger(number)) continue
    const file = join(dirname(base), name)
    // A lock can be released at any moment.
    const text = await textOf(disk, file).catch(() => undefined)
    if (text !== undefined) held.push({ content: text, file, number, owner: ownerOf(text) })
  }
  return held
}

const locked = (lockFile: string, { host, pid }: Owner): RunLocked => {
  const place = host === hostname() ? "" : ` on ${host}`
  const message = `another process is working on this run: process ${pid}${place}. Wait for it, or stop it`
  return new RunLocked({ message, lockFile, pid, host })
}

/** The error for a lock file of a live process, one file excepted. */
const liveOwner = (locks: ReadonlyArray<Found>, except?: string): RunLocked | undefined => {
  for (const { file, owner } of locks) if (file !== except && isAlive(owner)) return locked(file, owner)
  return undefined
}

const ownText = (): string => [process.pid, hostname(), statOf(process.pid).startedAt].join("\n")

const write = async (disk: Files, file: string, content: Buffer): Promise<void> => {
  const opened = await disk.open(file)
  await opened.write(content, 0).finally(() => opened.close())
}

/** The lines of a lock file that name its owner. */
const nameIn = (content: string): string => content.split("\n", 3).join("\n")

/** Acquires the lock, or throws {@link RunLocked}. `expired` has owners, and files with their contents, that count no more. */
const take = async (disk: Files, base: string, expired: ReadonlySet<string>): Promise<string> => {
  const owner = ownText()
  const counts = ({ content, file }: Found) => !expired.has(`${file}\n${content}`) && !expired.has(nameIn(content))
  while (true) {
    const known = await readLocks(disk, base)
    const other = liveOwner(known.filter(counts))
    if (other !== undefined) throw other
    const mine = `${base}.lock.${Math.max(0, ...known.map(({ number }) => number)) + 1}`
    try {
      await disk.create(mine, owner)
    } catch (error) {
      if (systemError(error).code === "EEXIST") continue
      throw error
    }
    const rival = liveOwner((await readLocks(disk, base)).filter(counts), mine)
    if (rival !== undefined) {
      await disk.remove(mine)
      throw rival
    }
    for (const { file } of known) await disk.remove(file).catch(() => {})
    return mine
  }
}

/** The live process that holds the lock; `undefined` when it is free. */
export const holder = (base: string): Effect.Effect<RunLocked | undefined> =>
  Effect.flatMap(Disk, (disk) => Effect.promise(() => readLocks(disk, base).then(liveOwner, () => undefined)))

/** How long the lock of a process on another machine counts without a sign of life. */
export const LockExpiry = Context.Reference<Duration.Input>("signalbox/bulk/LockExpiry", {
  defaultValue: () => "40 seconds"
})

/** A lock that is held. */
export interface Held {
  /** Fails when another machine has taken it over, because this one was suspended. */
  readonly verify: Effect.Effect<void, RunLocked>
  /** Owners on other machines from which it was taken over. */
  readonly gone: ReadonlySet<string>
}

const takeOnce = (disk: Files, base: string, expired: ReadonlySet<string>) =>
  Effect.tryPromise({
    try: () => take(disk, base, expired),
    catch: (cause) => {
      if (cause instanceof RunLocked) return cause
      const error = fileError("create the lock file", `${base}.lock.1`)(cause)
      if (error.code !== "ENOENT") return error
      return new FileError({ ...error, message: `there is no folder ${dirname(base)}; create it first` })
    }
  })

/** The content of a lock file; empty for a file that does not exist. */
const contentOf = (disk: Files, file: string): Effect.Effect<string> =>
  Effect.promise(() => textOf(disk, file).catch(() => ""))

/** Acquires the lock; waits for signs of life of a process on another machine, which may be gone. */
const takePatiently = Effect.fnUntraced(function* (
  disk: Files,
  base: string,
  expiryMs: number,
  known: ReadonlySet<string>
): Effect.fn.Return<{ readonly file: string; readonly gone: ReadonlySet<string> }, RunLocked | FileError> {
  const expired = new Set(known)
  const gone = new Set<string>()
  while (true) {
    const taken = yield* Effect.result(takeOnce(disk, base, expired))
    if (taken._tag === "Success") return { file: taken.success, gone }
    const error = taken.failure
    if (error._tag === "FileError" || error.host === hostname()) return yield* error
    const content = yield* contentOf(disk, error.lockFile)
    for (let waitedMs = 0; waitedMs < expiryMs; waitedMs += expiryMs / 20) {
      yield* Effect.interruptible(Effect.sleep(expiryMs / 20))
      const now = yield* contentOf(disk, error.lockFile)
      if (now === "") break
      if (now !== content) return yield* error
    }
    expired.add(`${error.lockFile}\n${content}`)
    gone.add(nameIn(content))
  }
})

/**
 * Acquires the lock until the scope closes; fails at once if a live process of this machine holds it, and as soon as one
 * of another machine gives a sign of life. Locks of owners that are known to be gone do not count.
 */
export const acquire = Effect.fnUntraced(function* (
  base: string,
  known: ReadonlySet<string> = new Set()
): Effect.fn.Return<Held, RunLocked | FileError, Scope.Scope> {
  const disk = yield* Disk
  const expiryMs = Duration.toMillis(Duration.fromInputUnsafe(yield* LockExpiry))
  const clock = yield* Clock.Clock
  const own = ownText()
  const isOwn = (file: string) => Effect.map(contentOf(disk, file), (content) => content.startsWith(own))
  const { file, gone } = yield* Effect.acquireRelease(
    takePatiently(disk, base, expiryMs, known),
    Effect.fnUntraced(function* ({ file: held }) {
      // After a takeover, another process may have a file of this name.
      if (yield* isOwn(held)) yield* Effect.promise(() => disk.remove(held).catch(() => {}))
    })
  )
  let beats = 0
  let freshUntil = clock.currentTimeMillisUnsafe() + (expiryMs * 3) / 8
  /** Gives a sign of life, unless another process has the lock. */
  const beat: Held["verify"] = Effect.gen(function* () {
    const at = clock.currentTimeMillisUnsafe()
    if (!(yield* isOwn(file))) {
      const message =
        "another machine has taken over this run, because this one gave no sign of life. Nothing more was sent"
      return yield* new RunLocked({ message, lockFile: file, pid: process.pid, host: hostname() })
    }
    const content = Buffer.from(`${own}\n${String(++beats).padStart(12, "0")}`)
    // A sign of life that cannot be written is missed, until the lock counts as expired.
    const isWritten = yield* Effect.promise(() =>
      write(disk, file, content).then(
        () => true,
        () => false
      )
    )
    if (isWritten) freshUntil = at + (expiryMs * 3) / 8
  })
  yield* Effect.forkScoped(Effect.repeat(Effect.ignore(beat), Schedule.spaced(expiryMs / 8)))
  const verify = Effect.suspend(() => (clock.currentTimeMillisUnsafe() < freshUntil ? Effect.void : beat))
  return { verify, gone }
})
