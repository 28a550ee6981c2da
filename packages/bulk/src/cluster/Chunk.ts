/**
 * Parts of the input of a run, which workers read and send.
 */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Disk, type Files } from "../file/Disk.ts"
import { csvLines, csvRecords } from "../input/Csv.ts"
import { Groups } from "../input/Groups.ts"
import { batchesOf, type InputFile, type InputFormat, unreadable } from "../input/InputFile.ts"
import type { InputLine, LineRange } from "../input/InputLine.ts"
import { type LineRunKind, lineRunKinds } from "../input/LineRequest.ts"
import { bytesOf, isUrl, nameOf, rangesOf } from "../input/Location.ts"
import { ndjsonLines } from "../input/Ndjson.ts"
import { type FileError, InputChanged } from "../RunError.ts"

/** Where a part of a run is. Contains nothing of the input, so that it can be stored in a database. */
export interface Chunk {
  /** Id of the run; with the number of a line, the scope of its idempotency key. */
  readonly run: string
  readonly kind: LineRunKind
  /** Lines to do. */
  readonly lines: number
  /** Where the lines are, in their order: mostly one after another, apart from those of subscribers that repeat. */
  readonly ranges: ReadonlyArray<LineRange>
  /** SHA-256 of the bytes, after those of the header. */
  readonly sha256: string
  /** For a CSV input: where its header is and how its columns are read. */
  readonly csv?: CsvPart | undefined
}

/** Values that reading a part of a CSV input needs, besides its bytes. */
export interface CsvPart {
  /** Bytes from the start of the input to the end of the header. */
  readonly headerBytes: number
  /** Column of each field, where its name differs. */
  readonly columns: Readonly<Record<string, string>>
}

/** How an input is divided. */
export interface PlanOptions extends Pick<Chunk, "run" | "kind"> {
  /** Path or URL of the input. */
  readonly file: string
  readonly format: InputFormat
  /** Column of each field of a CSV input, where its name differs from that of the field. */
  readonly columns: Readonly<Record<string, string>>
  /** Lines of a chunk. */
  readonly size: number
}

/** A chunk and its content. */
export interface PlannedChunk {
  readonly chunk: Chunk
  /** The header of a CSV input, and the bytes of the chunk. */
  readonly content: Buffer
}

const sha256Of = (content: Buffer): string => createHash("sha256").update(content).digest("hex")

const csvPart = async (disk: Files, file: string, columns: CsvPart["columns"]): Promise<CsvPart | undefined> => {
  for await (const { end } of csvRecords(bytesOf(disk, file))) return { headerBytes: end, columns }
  return undefined
}

/** Lines that follow each other as one range. */
const joined = (lines: ReadonlyArray<LineRange>): ReadonlyArray<LineRange> => {
  const ranges: Array<LineRange> = []
  for (const line of lines) {
    const last = ranges.at(-1)
    if (last === undefined || last.offset + last.bytes !== line.offset) ranges.push(line)
    else ranges[ranges.length - 1] = { ...last, bytes: last.bytes + line.bytes }
  }
  return ranges
}

const contentOf = (disk: Files, file: string, { csv, ranges }: Pick<Chunk, "csv" | "ranges">): Promise<Buffer> =>
  rangesOf(disk, file, [{ offset: 0, bytes: csv?.headerBytes ?? 0 }, ...ranges])

const subscriberOf = ({ content }: InputLine): string | undefined => {
  const read = content()
  const value: unknown = "value" in read ? read.value : undefined
  const isRecord = typeof value === "object" && value !== null && "subscriberId" in value
  return isRecord && typeof value.subscriberId === "string" ? value.subscriberId : undefined
}

/** The lines of an input by subscriber; `size` lines are a part of it. */
const groupLines = async (disk: Files, input: InputFile, size: number, groups: Groups): Promise<void> => {
  let count = 0
  for await (const batch of batchesOf(disk, input)) {
    for (const line of batch) {
      const subscriberId = subscriberOf(line)
      if (subscriberId !== undefined) await groups.add(subscriberId, Math.floor(count / size), line.range)
      count++
    }
  }
  await groups.finish()
}

/**
 * The lines of each chunk. Where lines of a subscriber would be in several chunks of an import, they are in one of their
 * own, because workers would send them at the same time, and services lose concurrent appends.
 */
async function* divideLines(
  disk: Files,
  input: InputFile,
  size: number,
  groups: Groups
): AsyncGenerator<ReadonlyArray<LineRange>, void> {
  if (input.kind === "import") await groupLines(disk, input, size, groups)
  let lines: Array<LineRange> = []
  let count = 0
  for await (const batch of batchesOf(disk, input)) {
    for (const { range } of batch) {
      if (!groups.isSpread(range)) lines.push(range)
      if (++count % size > 0) continue
      yield lines
      lines = []
    }
  }
  yield lines
  let together: Array<LineRange> = []
  for await (const group of groups.spread()) {
    if (together.length > 0 && together.length + group.length > size) {
      yield together
      together = []
    }
    together.push(...group)
  }
  yield together
}

async function* divide(
  disk: Files,
  { columns, file, format, kind, run, size }: PlanOptions
): AsyncGenerator<PlannedChunk, void> {
  let folder: Promise<string> | undefined
  const makeFolder = () => (folder ??= mkdtemp(join(tmpdir(), "signalbox-")))
  try {
    const path = isUrl(file) ? join(await makeFolder(), "input") : file
    if (path !== file) await writeFile(path, bytesOf(disk, file), { mode: 0o600 })
    const csv = format === "csv" ? await csvPart(disk, path, columns) : undefined
    const input: InputFile = { kind, path, format, columns, defaults: {} }
    for await (const lines of divideLines(disk, input, size, new Groups(makeFolder))) {
      const ranges = joined(lines.toSorted((one, other) => one.offset - other.offset))
      if (ranges.length === 0) continue
      const place = { ranges, ...(csv && { csv }) }
      const content = await contentOf(disk, path, place)
      yield {
        chunk: { run, kind, lines: lines.length, ...place, sha256: sha256Of(content) },
        content
      }
    }
  } finally {
    if (folder !== undefined) await rm(await folder, { recursive: true, force: true })
  }
}

/** Divides an input into chunks, with their contents. */
export const planContents = (options: PlanOptions): Stream.Stream<PlannedChunk, FileError> =>
  Stream.unwrap(
    Effect.map(Disk, (disk) =>
      Stream.fromAsyncIterable(divide(disk, options), (cause) => unreadable(options.file, cause))
    )
  )

const parse = async ({ csv, kind, ranges }: Chunk, content: Buffer): Promise<ReadonlyArray<InputLine>> => {
  const lines: Array<InputLine> = []
  const batches =
    csv === undefined ? ndjsonLines([content]) : csvLines([content], lineRunKinds[kind].fields, csv.columns)
  const left = [...ranges]
  /** Where the next range starts in the content, and by how much numbers of lines are higher in the input. */
  let [start, shift] = [csv?.headerBytes ?? 0, 0]
  for await (const batch of batches) {
    for (const { line, range, ...others } of batch) {
      if (range.offset >= start) {
        const next = left.shift()
        shift = (next?.firstLine ?? 0) - range.firstLine
        start += next?.bytes ?? Infinity
      }
      lines.push({ ...others, range, line: line + shift })
    }
  }
  return lines
}

/** The lines of a chunk with a content, which is that of a file or URL. */
export const linesOfChunk = Effect.fnUntraced(function* (
  chunk: Chunk,
  file: string,
  content: Buffer
): Effect.fn.Return<ReadonlyArray<InputLine>, FileError | InputChanged> {
  if (sha256Of(content) !== chunk.sha256) {
    const name = nameOf(file)
    const message = `${name} has changed since run ${chunk.run} was planned. Restore it, or plan a new run`
    return yield* new InputChanged({ message, file: name })
  }
  return yield* Effect.tryPromise({ try: () => parse(chunk, content), catch: (cause) => unreadable(file, cause) })
})

/** Reads the lines of a chunk from a file or URL. */
export const readChunk = Effect.fnUntraced(function* (chunk: Chunk, file: string) {
  const disk = yield* Disk
  const content = yield* Effect.tryPromise({
    try: () => contentOf(disk, file, chunk),
    catch: (cause) => unreadable(file, cause)
  })
  return yield* linesOfChunk(chunk, file, content)
})
