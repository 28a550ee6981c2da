/**
 * The lines of a file, with where they start, and its hash, in bounded memory.
 */
import { createHash } from "node:crypto"
import type { Files } from "./Disk.ts"

/** One line of a file. */
export interface FileLine {
  /** Offset of its first byte. */
  readonly start: number
  /** Offset of the first byte after it and its newline. */
  readonly end: number
  /** Its bytes without the newline; the first `maxBytes` where it is longer. */
  readonly bytes: Buffer
  /** Whether a newline ends it, which the last line of a file may lack. */
  readonly isTerminated: boolean
  readonly isTooLong: boolean
}

/** Longest line that is read whole: twice what the service accepts as a body. */
export const maxLineBytes = 2 * 1024 * 1024

const newline = 0x0a

/** Divides bytes into lines, in batches; `from` is the offset of the first byte. */
export async function* linesOf(
  source: AsyncIterable<Buffer> | Iterable<Buffer>,
  from = 0
): AsyncGenerator<ReadonlyArray<FileLine>, void> {
  let position = from
  let start = from
  // Pieces of the line that is not complete yet.
  let pieces: Array<Buffer> = []
  let piecesBytes = 0
  const lineOf = (last: Buffer, isTerminated: boolean, end: number): FileLine => {
    const whole = pieces.length === 0 ? last : Buffer.concat([...pieces, last])
    const isTooLong = piecesBytes + last.length > maxLineBytes
    return { start, end, bytes: isTooLong ? whole.subarray(0, maxLineBytes) : whole, isTerminated, isTooLong }
  }
  for await (const chunk of source) {
    const lines: Array<FileLine> = []
    let at = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, at)) {
      lines.push(lineOf(chunk.subarray(at, end), true, position + end + 1))
      pieces = []
      piecesBytes = 0
      at = end + 1
      start = position + at
    }
    const rest = chunk.subarray(at)
    if (rest.length > 0) {
      // A line that is too long is reported with its length only.
      if (piecesBytes <= maxLineBytes) pieces.push(rest)
      piecesBytes += rest.length
    }
    position += chunk.length
    if (lines.length > 0) yield lines
  }
  if (piecesBytes > 0) yield [lineOf(Buffer.alloc(0), false, position)]
}

/** The text of a file from an offset on. */
export const textOf = async (disk: Files, path: string, from = 0): Promise<string> => {
  const chunks: Array<Buffer> = []
  for await (const bytes of disk.read(path, from)) chunks.push(bytes)
  return Buffer.concat(chunks).toString()
}

/** Reads a file line by line, in batches, from an offset on. */
export const fileLines = (disk: Files, path: string, from = 0): AsyncGenerator<ReadonlyArray<FileLine>, void> =>
  linesOf(disk.read(path, from), from)

/** The hash of a file. */
export const sha256Of = async (disk: Files, path: string): Promise<string> => {
  const hash = createHash("sha256")
  for await (const part of disk.read(path)) hash.update(part)
  return hash.digest("hex")
}
