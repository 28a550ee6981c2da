import { mkdir, realpath, rename, rm, writeFile } from "node:fs/promises"
import { dirname } from "node:path"

const targetOf = (path: string): Promise<string> =>
  realpath(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return path
    throw error
  })

/**
 * Writes a file that only its owner can read. An existing one is replaced as a whole, so that a crash leaves the old one;
 * a symbolic link stays, and the file that it leads to is replaced.
 */
export const writeOwnerFile = async (path: string, text: string): Promise<void> => {
  const target = await targetOf(path)
  const temporary = `${target}.${process.pid}`
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  try {
    await writeFile(temporary, text, { mode: 0o600, flush: true })
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}
