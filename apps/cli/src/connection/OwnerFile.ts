import { mkdir, readFile, readlink, realpath, rename, rm, writeFile } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import { systemReason } from "@signalbox/operator/text/SystemReason"
import * as Effect from "effect/Effect"
import { UsageError } from "../failure/CommandError.ts"

/** The file that a path leads to, which need not exist. */
const targetOf = (path: string): Promise<string> =>
  realpath(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error
    const link = await readlink(path).catch(() => undefined)
    return link === undefined ? path : resolve(dirname(path), link)
  })

const replaceFile = async (path: string, text: string): Promise<void> => {
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

const failed = (verb: string, path: string) => (error: unknown) =>
  new UsageError({ message: `cannot ${verb} ${path}: ${systemReason(error)}` })

/**
 * Writes a file that only its owner can read. An existing one is replaced as a whole, so that a crash leaves the old one;
 * a symbolic link stays, and the file that it leads to is replaced.
 */
export const writeOwnerFile = (path: string, text: string): Effect.Effect<void, UsageError> =>
  Effect.tryPromise({ try: () => replaceFile(path, text), catch: failed("write", path) })

/** The text of such a file; empty where no file exists. One that cannot be read must not be replaced. */
export const readOwnerFile = (path: string): Effect.Effect<string, UsageError> =>
  Effect.tryPromise({
    try: () =>
      readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return ""
        throw error
      }),
    catch: failed("read", path)
  })
