/**
 * A report as input: the lines that failed, are unknown or were not tried.
 */
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import { Disk, type Files } from "../file/Disk.ts"
import { type FileError, InputChanged } from "../RunError.ts"
import { csvRecords, CsvStructureError } from "./Csv.ts"
import { unreadable } from "./InputFile.ts"
import { ndjsonLines } from "./Ndjson.ts"

/** The lines of a report that a new run can do. */
export interface FailedLines {
  readonly lines: ReadonlySet<number>
  /** Hash of the report. */
  readonly sha256: string
}

const wanted = new Set(["failed", "unknown", "not-tried"])
const known = new Set([...wanted, "succeeded", "invalid"])

const notReport = (line: number): CsvStructureError =>
  new CsvStructureError("Expected a line of a report, with line and outcome", line)

interface Entry {
  readonly line: number
  readonly outcome: string
}

/** Checks one line of a report; `at` is its own number. */
const entryOf = (line: unknown, outcome: unknown, at: number): Entry => {
  const number = Number(line)
  if (!Number.isSafeInteger(number) || number < 1 || typeof outcome !== "string" || !known.has(outcome)) {
    throw notReport(at)
  }
  return { line: number, outcome }
}

async function* ndjsonEntries(bytes: AsyncIterable<Buffer>): AsyncGenerator<Entry, void> {
  for await (const batch of ndjsonLines(bytes)) {
    for (const { content, line } of batch) {
      const parsed = content()
      const entry: Record<string, unknown> = Object("value" in parsed ? parsed.value : undefined)
      yield entryOf(entry["line"], entry["outcome"], line)
    }
  }
}

async function* csvEntries(bytes: AsyncIterable<Buffer>): AsyncGenerator<Entry, void> {
  let columns: { readonly line: number; readonly outcome: number } | undefined
  for await (const { cells, line } of csvRecords(bytes)) {
    if (columns === undefined) {
      columns = { line: cells.indexOf("line"), outcome: cells.indexOf("outcome") }
      if (columns.line < 0 || columns.outcome < 0) throw notReport(line)
    } else yield entryOf(cells[columns.line], cells[columns.outcome], line)
  }
}

const read = async (disk: Files, path: string): Promise<FailedLines> => {
  const hash = createHash("sha256")
  const hashed = async function* () {
    for await (const chunk of disk.read(path)) {
      hash.update(chunk)
      yield chunk
    }
  }
  const lines = new Set<number>()
  const entries = path.toLowerCase().endsWith(".csv") ? csvEntries(hashed()) : ndjsonEntries(hashed())
  for await (const { line, outcome } of entries) if (wanted.has(outcome)) lines.add(line)
  return { lines, sha256: hash.digest("hex") }
}

/** Reads a report, NDJSON or CSV; with a hash, it must be the same one as before. */
export const readFailedLines = Effect.fnUntraced(function* (
  path: string,
  sha256?: string
): Effect.fn.Return<FailedLines, FileError | InputChanged> {
  const disk = yield* Disk
  const found = yield* Effect.tryPromise({
    try: () => read(disk, path),
    catch: (cause) => unreadable(path, cause)
  })
  if (sha256 === undefined || sha256 === found.sha256) return found
  return yield* new InputChanged({ message: `${path} has changed since the run was started. Restore it`, file: path })
})
