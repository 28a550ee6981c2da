/**
 * The input file of a run: its format, its hash, its lines.
 */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createHash } from "node:crypto"
import { extname } from "node:path"
import { Disk, type Files } from "../file/Disk.ts"
import { fileError } from "../file/SystemError.ts"
import { FileError, InputChanged, InvalidInput, type LineIssue } from "../RunError.ts"
import { CheckObserver, type CheckProgress } from "./CheckProgress.ts"
import { csvLines, CsvStructureError } from "./Csv.ts"
import type { InputLine } from "./InputLine.ts"
import { bytesOf, isUrl, nameOf } from "./Location.ts"
import { appendsTokens, isValid, lineRunKinds, type LineRunKind, makeReadLine } from "./LineRequest.ts"
import { ndjsonLines } from "./Ndjson.ts"
import { addToSample, fingerprintOf, Repeats, type Sample } from "./Repeats.ts"

/** Format of an input file. */
export type InputFormat = "ndjson" | "csv"

/** How the lines of a file are read. */
export interface InputFile {
  readonly kind: LineRunKind
  /** Path of the file, or its URL. */
  readonly path: string
  readonly format: InputFormat
  /** Column of each field of a CSV file, where its name differs. */
  readonly columns: Readonly<Record<string, string>>
  /** Fields that a line need not have. */
  readonly defaults: Readonly<Record<string, string>>
}

/** The format that a file name says: CSV for `.csv`, NDJSON for everything else. */
export const formatOf = (path: string): InputFormat =>
  extname(nameOf(path)).toLowerCase() === ".csv" ? "csv" : "ndjson"

/** Reads the lines of a file, batch by batch. */
export const batchesOf = (
  disk: Files,
  { columns, format, kind, path }: InputFile,
  bytes: AsyncIterable<Buffer> = bytesOf(disk, path)
): AsyncGenerator<ReadonlyArray<InputLine>, void> =>
  format === "csv" ? csvLines(bytes, lineRunKinds[kind].fields, columns) : ndjsonLines(bytes)

/** The error of a file that cannot be read. */
export const unreadable = (location: string, cause: unknown): FileError => {
  const file = nameOf(location)
  if (cause instanceof CsvStructureError) {
    const place = cause.column === undefined ? `${cause.line}` : `${cause.line}:${cause.column}`
    return new FileError({ message: `${file}:${place}: ${cause.message}`, file })
  }
  return fileError("read", file)(cause)
}

/** Opens a file; each use of the result reads the next batch, `undefined` after the last one. */
export const openBatches = (
  input: InputFile
): Effect.Effect<Effect.Effect<ReadonlyArray<InputLine> | undefined, FileError>, never, Scope.Scope> =>
  Effect.map(
    Effect.acquireRelease(
      Effect.map(Disk, (disk) => batchesOf(disk, input)),
      (batches) => Effect.promise(() => batches.return())
    ),
    (batches) =>
      Effect.tryPromise({
        try: () => batches.next().then(({ done, value }) => (done === true ? undefined : value)),
        catch: (cause) => unreadable(input.path, cause)
      })
  )

/** The findings of one pass over a file. */
export interface Scan {
  readonly bytes: number
  readonly sha256: string
  readonly lines: number
  readonly lastLine: number
  readonly invalidLines: number
  /** The issues of the first 1,000 of these lines. */
  readonly issues: ReadonlyArray<LineIssue>
  /** Valid lines with the same request as an earlier line; found only by a dry run. */
  readonly repeated: number
  /** The first of these lines, at most 1,000. */
  readonly repeatedLines: ReadonlyArray<number>
  /** Shows whether a later input has the same lines with device tokens, which do harm if sent twice. */
  readonly sample: Sample
}

const maxListed = 1000

interface ScanOptions {
  /** Whether each line is parsed and checked. */
  readonly validates: boolean
  readonly findsRepeats?: boolean
}

const scanFile = async (
  disk: Files,
  input: InputFile,
  { findsRepeats = false, validates }: ScanOptions,
  observer: ((progress: CheckProgress) => void) | undefined
): Promise<Scan> => {
  const hash = createHash("sha256")
  const repeats = findsRepeats ? new Repeats() : undefined
  const repeatedLines: Array<number> = []
  const sample: Array<Sample[number]> = []
  let repeated = 0
  const readLine = makeReadLine(input.kind, input.defaults)
  const issues: Array<LineIssue> = []
  let bytes = 0
  let lines = 0
  let lastLine = 0
  let invalidLines = 0
  const entry = isUrl(input.path) ? undefined : await disk.stat(input.path)
  if (entry !== undefined && entry.type !== "file") throw new Error("it is not a file")
  const hashed = async function* () {
    for await (const chunk of bytesOf(disk, input.path)) {
      hash.update(chunk)
      bytes += chunk.length
      observer?.({ lines, share: entry && bytes / entry.bytes })
      yield chunk
    }
  }
  for await (const batch of batchesOf(disk, input, hashed())) {
    for (const line of batch) {
      lines++
      lastLine = line.line
      if (!validates) continue
      const read = readLine(line)
      if (isValid(read)) {
        const fingerprint = fingerprintOf(JSON.stringify(read))
        if (appendsTokens(read)) addToSample(sample, fingerprint, line.line)
        if (repeats?.add(fingerprint) !== true) continue
        repeated++
        if (repeatedLines.length < maxListed) repeatedLines.push(line.line)
        continue
      }
      if (++invalidLines <= maxListed) issues.push(...read)
    }
  }
  return { bytes, sha256: hash.digest("hex"), lines, lastLine, invalidLines, issues, repeated, repeatedLines, sample }
}

/** Reads a whole file: its hash, the number of its lines and, as configured, the issues and repeats of its lines. */
export const scan = Effect.fnUntraced(function* (
  input: InputFile,
  options: ScanOptions
): Effect.fn.Return<Scan, FileError> {
  const disk = yield* Disk
  const observer = yield* CheckObserver
  return yield* Effect.tryPromise({
    try: () => scanFile(disk, input, options, observer),
    catch: (cause) => unreadable(input.path, cause)
  })
})

/** One line for an issue: `tokens.ndjson:17:42: credentials.deviceTokens: Expected an array of strings`. */
export const issueLine = (file: string, { column, line, path, rule }: LineIssue): string =>
  [`${file}:${line}${column === undefined ? "" : `:${column}`}`, ...(path === "" ? [] : [path]), rule].join(": ")

/** The error of a file with invalid lines. */
export const invalidInput = (file: string, { invalidLines, issues, lines }: Scan): InvalidInput =>
  new InvalidInput({
    message:
      `invalid lines: ${invalidLines} of ${lines}; nothing was sent. ` +
      issues
        .slice(0, 1)
        .map((issue) => issueLine(file, issue))
        .join(""),
    file,
    invalidLines,
    issues
  })

/** Refuses an input that differs from the one that a run was started with. */
export const requireSame = Effect.fnUntraced(function* (
  input: InputFile,
  sha256: string,
  run: string,
  remedy: string
): Effect.fn.Return<void, FileError | InputChanged> {
  if ((yield* scan(input, { validates: false })).sha256 === sha256) return
  const message = `${input.path} has changed since run ${run} was started. ${remedy}`
  return yield* new InputChanged({ message, file: input.path })
})
