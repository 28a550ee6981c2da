/**
 * Commits of a journal. A commit is one line, written and made durable as a whole: its number, the length of its records,
 * a checksum, and the records as a JSON array. Numbers count up from 0, and the checksum covers the id of the run and the
 * number too, so no commit can be changed, removed, moved or copied from another run without notice.
 */
import { createHash } from "node:crypto"
import type { Files } from "../file/Disk.ts"
import { type FileLine, fileLines } from "../file/FileLines.ts"
import { JournalError } from "../RunError.ts"
import { type JournalRecord, journalVersion, type RunHeader } from "./JournalRecord.ts"

const sumOf = (run: string, number: number, records: Uint8Array): string =>
  createHash("sha256").update(`${run} ${number} `).update(records).digest("base64url").slice(0, 22)

/** The line of a commit. */
export const frameOf = (run: string, number: number, records: ReadonlyArray<string>): Buffer => {
  const array = Buffer.from(`[${records.join(",")}]`)
  return Buffer.concat([Buffer.from(`${number} ${array.length} ${sumOf(run, number, array)} `), array, lineEnd])
}

const lineEnd = Buffer.from("\n")

const head = /^(\d+) (\d+) ([\w-]{22}) /u
/** More than a head can have. */
const headBytes = 60

/** A line that starts with a commit, whose checksum is right if the run is the one expected. */
interface Parsed {
  readonly number: number
  readonly records: Buffer
  readonly sum: string
  /** Whether bytes of the line are left after the commit. */
  readonly isLonger: boolean
}

const parse = (line: Buffer): Parsed | undefined => {
  const [all = "", number, length, sum = ""] = head.exec(line.toString("latin1", 0, headBytes)) ?? []
  const end = all.length + Number(length)
  if (number === undefined || line.length < end) return undefined
  return { number: Number(number), records: line.subarray(all.length, end), sum, isLonger: line.length > end }
}

const isOf = (run: string, { number, records, sum }: Parsed): boolean => sum === sumOf(run, number, records)

/** The records of a line without its newline; `undefined` where the line is not the commit of the run with this number. */
const recordsIn = <A = JournalRecord>(run: string, number: number, line: Buffer): ReadonlyArray<A> | undefined => {
  const parsed = parse(line)
  if (parsed?.number !== number || parsed.isLonger || !isOf(run, parsed)) return undefined
  // The checksum proves that such records were written.
  return JSON.parse(parsed.records.toString()) as ReadonlyArray<A>
}

/** The records of the last line of a journal, whatever its number; `undefined` where it is not a commit of the run. */
export const lastRecords = (run: string, line: Buffer): ReadonlyArray<JournalRecord> | undefined =>
  recordsIn(run, parse(line)?.number ?? -1, line)

/** The error of a journal that cannot be read. */
export const notReadable = (path: string, rule: string): JournalError =>
  new JournalError({ message: `cannot read the journal ${path}: ${rule}`, journal: path })

/** The header of a journal, alone in its first commit, or why it cannot be read. It has the id that its checksum covers. */
const headerIn = (line: FileLine | undefined): RunHeader | string => {
  const bytes = line?.isTerminated === true ? line.bytes : Buffer.alloc(0)
  const [, id = ""] = /"id":"([^"]+)"/u.exec(parse(bytes)?.records.toString() ?? "") ?? []
  const [header] = recordsIn<RunHeader>(id, 0, bytes) ?? []
  if (header === undefined) return "its first line is not the header of a run, or is damaged; restore it from a backup"
  if (header.version === journalVersion) return header
  const versions = `it is of version ${String(header.version)}, and this process reads version ${journalVersion}`
  return `${versions}; finish the run with the version that started it`
}

/** Reads the header of a journal, and nothing else. */
export const headerOf = async (disk: Files, path: string): Promise<RunHeader> => {
  const { frames, header } = await openFrames(disk, path)
  // Closes the file.
  for await (const _ of frames) break
  return header
}

/** One commit after the header. */
export interface Frame {
  readonly number: number
  readonly records: ReadonlyArray<JournalRecord>
  /** Offset of the first byte after it. */
  readonly end: number
}

/** A journal that is read. */
export interface OpenFrames {
  readonly header: RunHeader
  /** Offset of the first byte after the header. */
  readonly headerEnd: number
  /** The commits after the header. Closes the file at the end. */
  readonly frames: AsyncGenerator<Frame, void>
}

/**
 * Opens a journal. Its commits end before a last line without a newline, a write that a crash cut off. Any other line that
 * is not the commit that is due is damage, and throws a {@link JournalError}.
 */
export const openFrames = async (disk: Files, path: string): Promise<OpenFrames> => {
  const batches = fileLines(disk, path)
  const [line, ...others] = (await batches.next()).value ?? []
  const header = headerIn(line)
  if (line === undefined || typeof header === "string") {
    await batches.return()
    throw notReadable(path, String(header))
  }
  const read = async function* (): AsyncGenerator<Frame, void> {
    let number = 1
    try {
      for (let batch = others; ;) {
        for (const { bytes, isTerminated, start } of batch) {
          const records = isTerminated ? recordsIn(header.id, number, bytes) : undefined
          if (records === undefined) {
            const parsed = parse(bytes)
            // The newline after a whole commit was damaged, not cut off.
            const isMerged = parsed?.isLonger === true && isOf(header.id, parsed)
            if (!isTerminated && !isMerged) return
            throw notReadable(path, `damaged at byte ${start}; restore it from a backup`)
          }
          yield { number: number++, records, end: start + bytes.length + 1 }
        }
        const next = await batches.next()
        if (next.done === true) return
        batch = [...next.value]
      }
    } finally {
      await batches.return()
    }
  }
  return { header, headerEnd: line.bytes.length + 1, frames: read() }
}
