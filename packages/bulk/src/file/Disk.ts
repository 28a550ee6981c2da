/**
 * The file system that runs use. Tests replace it: by one whose writes fail, or by files in memory.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { writeSync } from "node:fs"
import { constants, link, mkdir, open, readdir, realpath, stat, unlink, writeFile } from "node:fs/promises"
import { dirname } from "node:path"

/** A file that is written at its end. */
export interface AppendFile {
  readonly write: (bytes: Uint8Array, position: number) => Promise<void>
  /** Resolves when everything written survives a power failure. */
  readonly sync: () => Promise<void>
  readonly truncate: (bytes: number) => Promise<void>
  readonly close: () => Promise<void>
}

/** The type of an entry. */
export interface DiskEntry {
  readonly type: "file" | "folder" | "other"
  readonly bytes: number
}

/** Files and folders. Failures are those of Node, with a `code` such as `ENOENT`. */
export interface Files {
  /** Opens a file for writing, and creates a missing one. */
  readonly open: (path: string) => Promise<AppendFile>
  /** The bytes of a file from an offset on, at most `atOnce` in one piece. */
  readonly read: (path: string, from?: number, atOnce?: number) => AsyncIterable<Buffer>
  /** Creates a file, durable, whole or not at all; fails with `EEXIST` where the path is taken. */
  readonly create: (path: string, content: string) => Promise<void>
  readonly remove: (path: string) => Promise<void>
  /** Names of the entries of a folder. */
  readonly list: (folder: string) => Promise<ReadonlyArray<string>>
  readonly stat: (path: string) => Promise<DiskEntry>
  /** Creates a folder for this user, and those above it, unless it exists. */
  readonly createFolder: (path: string) => Promise<void>
  /** The path without symbolic links. */
  readonly realPath: (path: string) => Promise<string>
}

const openFile = async (path: string): Promise<AppendFile> => {
  // Opens an existing file without changing it; creates a missing one.
  const handle = await open(path, constants.O_RDWR | constants.O_CREAT)
  return {
    // Copies into the cache of the system: less work than to hand it to a thread, which `sync` needs anyway.
    write: async (bytes, position) => {
      for (let done = 0; done < bytes.length;) {
        done += writeSync(handle.fd, bytes, done, bytes.length - done, position + done)
      }
    },
    sync: () => handle.datasync(),
    truncate: (bytes) => handle.truncate(bytes),
    close: () => handle.close()
  }
}

const readBytes = 256 * 1024

async function* read(path: string, from = 0, atOnce = readBytes): AsyncGenerator<Buffer, void> {
  const handle = await open(path, "r")
  try {
    for (let position = from; ;) {
      const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(atOnce), 0, atOnce, position)
      if (bytesRead === 0) return
      position += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await handle.close()
  }
}

/** Makes the name of a new file durable, where the system can open folders; Windows cannot, and needs not. */
const syncFolder = async (path: string): Promise<void> => {
  const folder = await open(path, "r").catch(() => undefined)
  await folder?.sync().finally(() => folder.close())
}

const create = async (path: string, content: string): Promise<void> => {
  const temporary = `${path}.new-${crypto.randomUUID()}`
  try {
    await writeFile(temporary, content, { flush: true, mode: 0o600 })
    // Unlike a rename, a link does not replace a file.
    await link(temporary, path)
  } finally {
    await unlink(temporary).catch(() => {})
  }
  await syncFolder(dirname(path))
}

const entryOf = async (path: string): Promise<DiskEntry> => {
  const found = await stat(path)
  const type = found.isFile() ? "file" : found.isDirectory() ? "folder" : "other"
  return { type, bytes: found.size }
}

/** The file system of the machine. */
export const nodeFiles: Files = {
  open: openFile,
  read,
  create,
  remove: unlink,
  list: readdir,
  stat: entryOf,
  createFolder: async (path) => void (await mkdir(path, { recursive: true, mode: 0o700 })),
  realPath: realpath
}

/** The file system of a run. */
export const Disk = Context.Reference<Files>("signalbox/bulk/Disk", { defaultValue: () => nodeFiles })

/** The entry of a path; `undefined` for one that does not exist. */
export const entryAt = Effect.fnUntraced(function* (path: string): Effect.fn.Return<DiskEntry | undefined> {
  const disk = yield* Disk
  return yield* Effect.promise(() => disk.stat(path).catch(() => undefined))
})
