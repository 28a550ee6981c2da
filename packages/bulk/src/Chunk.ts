/**
 * A part of a run as one idempotent step, for an engine that spreads work over machines.
 *
 * **When to use**: with a queue or a workflow engine that you already run, such as pg-boss or Temporal. One machine needs
 * none: use `startImport` and `startMark`.
 *
 * @since 0.1.0
 */
import type { Credentials } from "@signalbox/core/Credentials"
import type { Messages } from "@signalbox/core/Messages"
import type { RateLimit } from "@signalbox/core/RateLimit"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { createHash } from "node:crypto"
import { Disk, type Files } from "./file/Disk.ts"
import { linesOf } from "./file/FileLines.ts"
import { csvLines, csvRecords } from "./input/Csv.ts"
import { formatOf, type InputFormat, unreadable } from "./input/InputFile.ts"
import type { InputLine } from "./input/InputLine.ts"
import { lineRunKinds } from "./input/LineRequest.ts"
import { bytesOf, nameOf, rangeOf } from "./input/Location.ts"
import { ndjsonLines } from "./input/Ndjson.ts"
import { shown, type ReportLine } from "./Report.ts"
import { runChunk } from "./run/ChunkRun.ts"
import { type FileError, InputChanged, type InvalidOption, type RunStopped } from "./RunError.ts"
import { checkedConcurrency, checkedCount } from "./RunOptions.ts"

/** Where a part of a run is. Contains nothing of the input, so that it can be stored in the database of an engine. */
export interface Chunk {
  /** Id of the run; with the number of a line, the scope of its idempotency key. */
  readonly run: string
  readonly kind: "import" | "mark"
  /** Path or URL of the input, as every worker can read it. */
  readonly file: string
  /** Offset of the first byte. */
  readonly offset: number
  readonly bytes: number
  /** Number of the first line. */
  readonly firstLine: number
  /** Lines of the input, those without content included. */
  readonly lines: number
  /** SHA-256 of the bytes, after those of the header. */
  readonly sha256: string
  /** The lines to do; all when absent. */
  readonly only?: ReadonlyArray<number> | undefined
  /** For a CSV input: where its header is and how its columns are read. */
  readonly csv?: CsvPart | undefined
}

/** Values that reading a part of a CSV input needs, besides its bytes. */
export interface CsvPart {
  /** Bytes from the start of the input to the end of the header. */
  readonly headerBytes: number
  /** Lines from the start of the input to the end of the header. */
  readonly headerLines: number
  /** Column of each field, where its name differs. */
  readonly columns: Readonly<Record<string, string>>
}

/** How an input is divided. */
export interface PlanOptions {
  /** Id of the run: the same for every attempt at it, another for another run of the same input. */
  readonly run: string
  readonly kind: "import" | "mark"
  /** Path or URL of the input, as every worker can read it. */
  readonly file: string
  /** Format of the input; by its name when absent: CSV for `.csv`, otherwise NDJSON. */
  readonly format?: InputFormat | undefined
  /** Column of each field of a CSV input, where its name differs from that of the field. */
  readonly columns?: Readonly<Record<string, string>> | undefined
  /** The lines to do; all when absent. */
  readonly only?: ReadonlySet<number> | undefined
  /** Lines of a chunk, from 1 to 10,000; 200 when absent. */
  readonly size?: number | undefined
}

/** How a chunk is done. */
export interface ChunkOptions {
  /** Whether an earlier attempt at this chunk may have sent some of its lines. */
  readonly isRetry: boolean
  /** Fields for lines that do not have them: `providerId` and `integrationIdentifier`, or `markAs`. */
  readonly defaults?: Readonly<Record<string, string>> | undefined
  /** Calls in flight at most, from 1 to 1,000; 16 when absent. */
  readonly concurrency?: number | undefined
  /** Sends device tokens again that may have been appended already; `false` when absent. */
  readonly atLeastOnce?: boolean | undefined
  /** Whether the service is known to honour idempotency keys; otherwise the chunk finds out. */
  readonly serviceHonoursKeys?: boolean | undefined
}

/** The end of a line or record: its offset, and the number of the next line. */
interface End {
  readonly end: number
  readonly nextLine: number
}

async function* ndjsonEnds(bytes: AsyncIterable<Buffer>): AsyncGenerator<End, void> {
  let nextLine = 1
  let last: number | undefined
  for await (const batch of linesOf(bytes)) {
    for (const { start } of batch) {
      if (last !== undefined) yield { end: start, nextLine: ++nextLine }
      last = start
    }
  }
  if (last !== undefined) yield { end: Infinity, nextLine: nextLine + 1 }
}

/** Bytes that are handed on, and kept until they are taken. */
const makeTee = (source: AsyncIterable<Buffer>) => {
  let kept: Buffer = Buffer.alloc(0)
  return {
    bytes: async function* () {
      for await (const chunk of source) {
        kept = kept.length === 0 ? chunk : Buffer.concat([kept, chunk])
        yield chunk
      }
    },
    /** Removes and returns up to `count` of the buffered bytes. */
    take: (count: number): Buffer => {
      const taken = kept.subarray(0, count)
      kept = kept.subarray(taken.length)
      return taken
    }
  }
}

/** A chunk and its content. */
export interface PlannedChunk {
  readonly chunk: Chunk
  /** The header of a CSV input, and the bytes of the chunk. */
  readonly content: Buffer
}

const sha256Of = (content: Buffer): string => createHash("sha256").update(content).digest("hex")

const hasWork = ({ chunk }: PlannedChunk): boolean => chunk.only === undefined || chunk.only.length > 0

async function* divide(disk: Files, options: PlanOptions, size: number): AsyncGenerator<PlannedChunk, void> {
  const { columns = {}, file, kind, run } = options
  const isCsv = (options.format ?? formatOf(file)) === "csv"
  const source = makeTee(bytesOf(disk, file))
  let header: Buffer = Buffer.alloc(0)
  let csv: CsvPart | undefined
  let [offset, firstLine, records] = [0, 1, 0]
  const selected = (from: number, to: number): ReadonlyArray<number> | undefined =>
    options.only && Array.from({ length: to - from }, (_, at) => from + at).filter((line) => options.only?.has(line))
  const next = ({ end, nextLine }: End): PlannedChunk => {
    const only = selected(firstLine, nextLine)
    const bytes = source.take(end - offset)
    const content = Buffer.concat([header, bytes])
    const lines = nextLine - firstLine
    const sha256 = sha256Of(content)
    const chunk: Chunk = {
      run,
      kind,
      file,
      offset,
      bytes: bytes.length,
      firstLine,
      lines,
      sha256,
      ...(only && { only }),
      ...(csv && { csv })
    }
    ;[offset, firstLine, records] = [offset + bytes.length, nextLine, 0]
    return { chunk, content }
  }
  let last: End | undefined
  const ends: AsyncIterable<End> = isCsv ? csvRecords(source.bytes()) : ndjsonEnds(source.bytes())
  for await (const at of ends) {
    if (isCsv && csv === undefined) {
      header = Buffer.from(source.take(at.end))
      csv = { headerBytes: at.end, headerLines: at.nextLine - 1, columns }
      ;[offset, firstLine] = [at.end, at.nextLine]
      continue
    }
    last = at
    if (++records < size) continue
    const planned = next(at)
    if (hasWork(planned)) yield planned
  }
  if (last === undefined || records === 0) return
  const planned = next({ ...last, end: Infinity })
  if (hasWork(planned)) yield planned
}

/** Divides an input into chunks, with their contents. */
export const planContents = (options: PlanOptions): Stream.Stream<PlannedChunk, FileError | InvalidOption> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const size = yield* checkedCount("size", options.size ?? 200, 10_000)
      const disk = yield* Disk
      return Stream.fromAsyncIterable(divide(disk, options, size), (cause) => unreadable(options.file, cause))
    })
  )

/**
 * Divides an input into chunks, which an engine stores and hands to its workers.
 *
 * @example
 * ```ts
 * import * as Stream from "effect/Stream"
 * import { planChunks } from "@signalbox/bulk"
 *
 * const chunks = planChunks({ run: "tokens-2026-11", kind: "import", file: "/shared/tokens.ndjson" }).pipe(
 *   Stream.runCollect
 * )
 * ```
 */
export const planChunks = (options: PlanOptions): Stream.Stream<Chunk, FileError | InvalidOption> =>
  Stream.map(planContents(options), ({ chunk }) => chunk)

/** Reads the content of a chunk. */
export const readContent = ({ bytes, csv, file, offset }: Chunk): Effect.Effect<Buffer, FileError> =>
  Effect.flatMap(Disk, (disk) =>
    Effect.tryPromise({
      try: async () => {
        const header = await rangeOf(disk, file, 0, csv?.headerBytes ?? 0)
        return Buffer.concat([header, await rangeOf(disk, file, offset, bytes)])
      },
      catch: (cause) => unreadable(file, cause)
    })
  )

const parse = async ({ csv, firstLine, kind, only }: Chunk, content: Buffer): Promise<ReadonlyArray<InputLine>> => {
  const lines: Array<InputLine> = []
  const wanted = only && new Set(only)
  const batches =
    csv === undefined ? ndjsonLines([content], firstLine) : csvLines([content], lineRunKinds[kind].fields, csv.columns)
  const skipped = csv === undefined ? 0 : firstLine - csv.headerLines - 1
  for await (const batch of batches) {
    lines.push(...batch.map(({ content: read, line }) => ({ content: read, line: line + skipped })))
  }
  return wanted === undefined ? lines : lines.filter(({ line }) => wanted.has(line))
}

/** The lines of a chunk whose content was read. */
export const linesOfChunk = Effect.fnUntraced(function* (
  chunk: Chunk,
  content: Buffer
): Effect.fn.Return<ReadonlyArray<InputLine>, FileError | InputChanged> {
  if (sha256Of(content) !== chunk.sha256) {
    const file = nameOf(chunk.file)
    const message = `${file} has changed since run ${chunk.run} was planned. Restore it, or plan a new run`
    return yield* new InputChanged({ message, file })
  }
  return yield* Effect.tryPromise({
    try: () => parse(chunk, content),
    catch: (cause) => unreadable(chunk.file, cause)
  })
})

/**
 * Does a chunk and returns the outcome of each of its lines, in order. Idempotent where the service honours idempotency
 * keys: repeat it as often as you like with `isRetry`.
 *
 * **Details**: fails with `RunStopped`, before all lines are done, when the API key is rejected or the service is not
 * available; repeat the chunk later. Where the service does not honour keys, lines that append device tokens become
 * `unknown` in a retry, unless it is at least once.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { type Chunk, doChunk } from "@signalbox/bulk"
 *
 * const work = (chunk: Chunk, attempt: number) =>
 *   doChunk(chunk, { isRetry: attempt > 1 }).pipe(
 *     Effect.map((lines) => lines.filter(({ outcome }) => outcome !== "succeeded"))
 *   )
 * ```
 */
export const doChunk = Effect.fnUntraced(function* (
  chunk: Chunk,
  options: ChunkOptions
): Effect.fn.Return<
  ReadonlyArray<ReportLine>,
  FileError | InputChanged | InvalidOption | RunStopped,
  Credentials | Messages | RateLimit
> {
  const concurrency = yield* checkedConcurrency(options.concurrency)
  const lines = yield* linesOfChunk(chunk, yield* readContent(chunk))
  const { atLeastOnce = false, defaults = {}, isRetry, serviceHonoursKeys = false } = options
  const { records, stopped } = yield* runChunk({
    kind: chunk.kind,
    lines,
    delivery: { runId: chunk.run, atLeastOnce, keysHonoured: serviceHonoursKeys, environment: undefined },
    defaults,
    inDoubtTo: isRetry ? Infinity : 0,
    concurrency
  })
  if (stopped !== undefined) return yield* stopped
  return records.map(shown)
})
