/**
 * Keeps two processes from working on the same run.
 *
 * The lock is a file named `<base>.lock.<n>` that names its owner. A contender creates the file with the next number,
 * which only one can do, and then checks that no other owner is alive. The file of a dead process does not count.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { readFileSync } from "node:fs"
import { hostname } from "node:os"
import { basename, dirname, join } from "node:path"
import { Disk, type Files } from "../file/Disk.ts"
import { textOf } from "../file/FileLines.ts"
import { systemError } from "../file/SystemError.ts"
import { FileError, RunLocked } from "../RunError.ts"

/** Who holds a lock. */
interface Owner {
  readonly pid: number
  readonly host: string
  /** When the process started, so that another process with its number is not taken for it; empty where unknown. */
  readonly startedAt: string
}

/** Start of a process in clock ticks since boot; empty where the system does not tell. */
const startOf = (pid: number): string => {
  try {
    // The name of the program, in parentheses, may contain spaces.
    return readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ")[19] ?? ""
  } catch {
    return ""
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
  return startedAt === "" || startedAt === startOf(pid)
}

interface Held {
  readonly file: string
  readonly number: number
  /** `undefined` for a file that names none. */
  readonly owner: Owner | undefined
}

const ownerOf = (text: string): Owner | undefined => {
  const [pid, host, startedAt = ""] = text.split("\n")
  return host === undefined || !/^\d+$/.test(pid ?? "") ? undefined : { pid: Number(pid), host, startedAt }
}

const readLocks = async (disk: Files, base: string): Promise<ReadonlyArray<Held>> => {
  const prefix = `${basename(base)}.lock.`
  const held: Array<Held> = []
  for (const name of await disk.list(dirname(base))) {
    const number = name.startsWith(prefix) ? Number(name.slice(prefix.length)) : Number.NaN
    if (!Number.isInteger(number)) continue
    const file = join(dirname(base), name)
    // A lock can be released at any moment.
    const text = await textOf(disk, file).catch(() => undefined)
    if (text !== undefined) held.push({ file, number, owner: ownerOf(text) })
  }
  return held
}

const locked = (file: string, owner: Owner): RunLocked =>
  new RunLocked({
    message:
      owner.host === hostname()
        ? `another process is working on this run: process ${owner.pid}. Wait for it, or stop it`
        : `another process is working on this run: process ${owner.pid} on ${owner.host}. If that machine is gone, delete ${file}`,
    lockFile: file,
    pid: owner.pid,
    host: owner.host
  })

/** The error for a lock file of a live process, one file excepted. */
const liveOwner = (locks: ReadonlyArray<Held>, except?: string): RunLocked | undefined => {
  for (const { file, owner } of locks) if (file !== except && isAlive(owner)) return locked(file, owner)
  return undefined
}

/** Acquires the lock, or throws {@link RunLocked}. */
const take = async (disk: Files, base: string): Promise<string> => {
  const owner = [process.pid, hostname(), startOf(process.pid)].join("\n")
  while (true) {
    const known = await readLocks(disk, base)
    const other = liveOwner(known)
    if (other !== undefined) throw other
    const mine = `${base}.lock.${Math.max(0, ...known.map(({ number }) => number)) + 1}`
    try {
      await disk.create(mine, owner)
    } catch (error) {
      if (systemError(error).code === "EEXIST") continue
      throw error
    }
    const rival = liveOwner(await readLocks(disk, base), mine)
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

/** Acquires the lock until the scope closes; fails at once if a live process holds it. */
export const acquire = (base: string): Effect.Effect<void, RunLocked | FileError, Scope.Scope> =>
  Effect.flatMap(Disk, (disk) =>
    Effect.acquireRelease(
      Effect.tryPromise({
        try: () => take(disk, base),
        catch: (cause) => {
          if (cause instanceof RunLocked) return cause
          const { meaning, ...known } = systemError(cause)
          const file = `${base}.lock.1`
          const message =
            known.code === "ENOENT"
              ? `there is no folder ${dirname(base)}; create it first`
              : `cannot create the lock file ${file}: ${meaning}`
          return new FileError({ message, file, ...known })
        }
      }),
      (file) => Effect.promise(() => disk.remove(file).catch(() => {}))
    )
  ).pipe(Effect.asVoid)
