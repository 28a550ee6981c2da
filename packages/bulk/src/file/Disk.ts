/**
 * The files that a run writes. Tests replace it to make writes fail.
 */
import * as Context from "effect/Context"
import { open } from "node:fs/promises"

/** A file that is written at its end. */
export interface AppendFile {
  readonly write: (bytes: Uint8Array, position: number) => Promise<void>
  /** Resolves when everything written survives a power failure. */
  readonly sync: () => Promise<void>
  readonly truncate: (bytes: number) => Promise<void>
  readonly close: () => Promise<void>
}

const openFile = async (path: string): Promise<AppendFile> => {
  // Opens an existing file without changing it; creates a missing one.
  const handle = await open(path, "r+").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error
    return open(path, "wx+")
  })
  return {
    write: async (bytes, position) => {
      for (let done = 0; done < bytes.length;) {
        const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done)
        done += bytesWritten
      }
    },
    sync: () => handle.datasync(),
    truncate: (bytes) => handle.truncate(bytes),
    close: () => handle.close()
  }
}

/** Opens the files that a run writes. */
export const Disk = Context.Reference<{ readonly open: (path: string) => Promise<AppendFile> }>("signalbox/bulk/Disk", {
  defaultValue: () => ({ open: openFile })
})
