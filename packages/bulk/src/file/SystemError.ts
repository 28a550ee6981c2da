/**
 * Error messages of the operating system about files that cannot be used.
 */
import { FileError } from "../RunError.ts"

const meanings: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EDQUOT: "the disk quota is exceeded",
  EEXIST: "the file already exists",
  EFBIG: "the file would be too large",
  EIO: "the disk reported an error",
  EISDIR: "it is a folder",
  ENOENT: "no such file",
  ENOSPC: "no space left on the disk",
  ENOTDIR: "a part of the path is not a folder",
  EPERM: "permission denied",
  EROFS: "the disk is read-only"
}

/** Code and meaning of a failed file operation. */
export interface SystemError {
  readonly code?: string
  readonly meaning: string
}

/** Reads a failed file operation. */
export const systemError = (cause: unknown): SystemError => {
  const code = cause instanceof Error && "code" in cause && typeof cause.code === "string" ? cause.code : undefined
  if (code === undefined) return { meaning: cause instanceof Error ? cause.message : String(cause) }
  return { code, meaning: meanings[code] ?? code }
}

/** The error of an operation on a file, for example `cannot read tokens.csv: permission denied`. */
export const fileError =
  (operation: string, file: string, advice = "") =>
  (cause: unknown): FileError => {
    const { meaning, ...code } = systemError(cause)
    return new FileError({ message: `cannot ${operation} ${file}: ${meaning}${advice}`, file, ...code })
  }
