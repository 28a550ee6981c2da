/**
 * Files in memory, and processes that lose them: a process can be killed at any operation, and the power can fail.
 */
import type { AppendFile, DiskEntry, Files } from "@signalbox/bulk/Disk"
import { basename, dirname } from "node:path"

const failure = (code: string): Error => Object.assign(new Error(code), { code })

/** A file, and what of it survives a power failure. */
interface MemoryFile {
  bytes: Buffer
  durable: Buffer
}

/** Files in memory. */
export class MemoryDisk implements Files {
  readonly #files = new Map<string, MemoryFile>()

  /** Every file with its text. */
  contents(): ReadonlyMap<string, string> {
    return new Map([...this.#files].map(([path, { bytes }]) => [path, bytes.toString("utf8")]))
  }

  #find(path: string): MemoryFile {
    const file = this.#files.get(path)
    if (file === undefined) throw failure("ENOENT")
    return file
  }

  /** Loses what no sync has made durable, except a part of what was added. */
  failPower(keptPart: number): void {
    for (const file of this.#files.values()) {
      const { bytes, durable } = file
      const added = Math.max(0, bytes.length - durable.length)
      const kept = bytes.subarray(durable.length, durable.length + Math.floor(added * keptPart))
      file.bytes = Buffer.concat([durable, kept])
      file.durable = file.bytes
    }
  }

  async open(path: string): Promise<AppendFile> {
    const file = this.#files.get(path) ?? { bytes: Buffer.alloc(0), durable: Buffer.alloc(0) }
    this.#files.set(path, file)
    return {
      write: async (bytes, position) => {
        file.bytes = Buffer.concat([file.bytes.subarray(0, position), bytes])
      },
      sync: async () => {
        file.durable = file.bytes
      },
      truncate: async (length) => {
        file.bytes = file.bytes.subarray(0, length)
      },
      close: async () => {}
    }
  }

  async *read(path: string, from = 0): AsyncGenerator<Buffer, void> {
    const { bytes } = this.#find(path)
    if (from < bytes.length) yield Buffer.from(bytes.subarray(from))
  }

  async create(path: string, content: string): Promise<void> {
    if (this.#files.has(path)) throw failure("EEXIST")
    const bytes = Buffer.from(content)
    this.#files.set(path, { bytes, durable: bytes })
  }

  async remove(path: string): Promise<void> {
    this.#find(path)
    this.#files.delete(path)
  }

  async list(folder: string): Promise<ReadonlyArray<string>> {
    return [...this.#files.keys()].filter((path) => dirname(path) === folder).map((path) => basename(path))
  }

  async createFolder(): Promise<void> {}

  async realPath(path: string): Promise<string> {
    return path
  }

  async stat(path: string): Promise<DiskEntry> {
    const isFolder = [...this.#files.keys()].some((file) => dirname(file) === path)
    return isFolder ? { type: "folder", bytes: 0 } : { type: "file", bytes: this.#find(path).bytes.length }
  }
}

/** An operation that changes a file. */
interface Operation {
  readonly act: () => Promise<void>
  /** Does a part of it; nothing where it is done whole or not at all. */
  readonly actInPart?: () => Promise<void>
}

/** Observes every operation that changes a file, and may end the process before, in the middle of or after it. */
export type Supervise = (operation: Operation) => Promise<void>

/** The files of one process. */
export const filesOfProcess = (disk: MemoryDisk, supervise: Supervise, isGone: () => boolean): Files => {
  const alive = <A>(read: () => Promise<A>): Promise<A> => (isGone() ? Promise.reject(failure("EIO")) : read())
  return {
    open: (path) =>
      alive(async () => {
        const file = await disk.open(path)
        return {
          write: (bytes, position) =>
            supervise({
              act: () => file.write(bytes, position),
              actInPart: () => file.write(bytes.subarray(0, Math.floor(bytes.length / 2)), position)
            }),
          sync: () => supervise({ act: file.sync }),
          truncate: (length) => supervise({ act: () => file.truncate(length) }),
          close: file.close
        }
      }),
    read: (path, from) => disk.read(path, from),
    create: (path, content) => supervise({ act: () => disk.create(path, content) }),
    remove: (path) => supervise({ act: () => disk.remove(path) }),
    list: (folder) => alive(() => disk.list(folder)),
    stat: (path) => alive(() => disk.stat(path)),
    createFolder: () => alive(() => disk.createFolder()),
    realPath: (path) => alive(() => disk.realPath(path))
  }
}
