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
import { type FileLine, fileLines } from "./file/FileLines.ts"
import { type InputLine } from "./input/InputLine.ts"
import { unreadable } from "./input/InputFile.ts"
import { isValid, makeReadLine } from "./input/LineRequest.ts"
import { ndjsonBatches } from "./input/Ndjson.ts"
import type { OutcomeRecord } from "./journal/JournalRecord.ts"
import { shown, type ReportLine } from "./Report.ts"
import { interrupted, invalid } from "./run/LineOutcome.ts"
import { type Delivery, mayResend } from "./run/LineCall.ts"
import { makeSender, type Sender } from "./run/Sender.ts"
import { type FileError, InputChanged, InvalidOption, type RunStopped } from "./RunError.ts"

/** Where a part of a run is. Contains nothing of the input, so that it can be stored in the database of an engine. */
export interface Chunk {
  /** Id of the run; with the number of a line, the scope of its idempotency key. */
  readonly run: string
  readonly kind: "import" | "mark"
  /** Path of the NDJSON file, as every worker can read it. */
  readonly file: string
  /** Offset of the first byte. */
  readonly offset: number
  readonly bytes: number
  /** Number of the first line. */
  readonly firstLine: number
  /** Lines of the file, those without content included. */
  readonly lines: number
  /** SHA-256 of the bytes. */
  readonly sha256: string
}

/** How a file is divided. */
export interface PlanOptions {
  /** Id of the run: the same for every attempt at it, another for another run of the same file. */
  readonly run: string
  readonly kind: "import" | "mark"
  /** Path of the NDJSON file, as every worker can read it. */
  readonly file: string
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

const checkedRange = (option: string, value: number, max: number): Effect.Effect<number, InvalidOption> =>
  Number.isInteger(value) && value >= 1 && value <= max
    ? Effect.succeed(value)
    : new InvalidOption({ message: `${option}: must be a whole number from 1 to ${max}`, option })

/** Bytes of a line in its file, its newline included. */
const lengthOf = ({ bytes, isTerminated }: FileLine): number => bytes.length + (isTerminated ? 1 : 0)

async function* divide({ file, kind, run }: PlanOptions, size: number): AsyncGenerator<Chunk, void> {
  let hash = createHash("sha256")
  let [offset, bytes, firstLine, lines] = [0, 0, 1, 0]
  const chunk = (): Chunk => ({ run, kind, file, offset, bytes, firstLine, lines, sha256: hash.digest("hex") })
  for await (const batch of fileLines(file)) {
    for (const line of batch) {
      hash.update(line.bytes)
      if (line.isTerminated) hash.update("\n")
      bytes += lengthOf(line)
      if (++lines < size) continue
      yield chunk()
      hash = createHash("sha256")
      ;[offset, bytes, firstLine, lines] = [offset + bytes, 0, firstLine + lines, 0]
    }
  }
  if (bytes > 0) yield chunk()
}

/**
 * Divides an NDJSON file into chunks, which an engine stores and hands to its workers.
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
  Stream.unwrap(
    Effect.map(checkedRange("size", options.size ?? 200, 10_000), (size) =>
      Stream.fromAsyncIterable(divide(options, size), (cause) => unreadable(options.file, cause))
    )
  )

/** The lines of a chunk, and the hash of its bytes. */
const readChunk = async ({ bytes, file, firstLine, offset }: Chunk) => {
  const hash = createHash("sha256")
  const lines: Array<InputLine> = []
  let left = bytes
  let lastLine = firstLine - 1
  for await (const batch of ndjsonBatches(file, { offset, firstLine })) {
    for (const raw of batch.raw) {
      if (left <= 0) break
      hash.update(raw.bytes)
      if (raw.isTerminated) hash.update("\n")
      left -= lengthOf(raw)
      lastLine++
    }
    lines.push(...batch.lines.filter(({ line }) => line <= lastLine))
    if (left <= 0) break
  }
  return { lines, sha256: hash.digest("hex") }
}

/** Makes the step for one line: its outcome, without sending it where that could do harm. */
const makeLineStep = (sender: Sender, delivery: Delivery, { kind }: Chunk, options: ChunkOptions) => {
  const readLine = makeReadLine(kind, options.defaults ?? {})
  return Effect.fnUntraced(function* (input: InputLine): Effect.fn.Return<OutcomeRecord, RunStopped> {
    const { line } = input
    const request = readLine(input)
    if (!isValid(request)) return invalid(line, request)
    if (options.isRetry && !mayResend(request, delivery)) return interrupted(line, 0)
    const sent = yield* sender.send({ line, request, generation: 0, exposures: options.isRetry ? 1 : 0 })
    if (sent.stopped !== undefined) return yield* sent.stopped
    // Only a stopped sender gives no outcome, and nothing stops this one.
    return sent.record ?? interrupted(line, 0)
  })
}

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
  const { file, run } = chunk
  const concurrency = yield* checkedRange("concurrency", options.concurrency ?? 16, 1000)
  const { lines, sha256 } = yield* Effect.tryPromise({
    try: () => readChunk(chunk),
    catch: (cause) => unreadable(file, cause)
  })
  if (sha256 !== chunk.sha256) {
    const message = `${file} has changed since run ${run} was planned. Restore it, or plan a new run`
    return yield* new InputChanged({ message, file })
  }
  const { atLeastOnce = false, serviceHonoursKeys = false } = options
  const delivery: Delivery = { runId: run, atLeastOnce, keysHonoured: serviceHonoursKeys }
  const sender = yield* makeSender(delivery, concurrency, concurrency)
  const records = yield* Effect.forEach(lines, makeLineStep(sender, delivery, chunk, options), { concurrency })
  return records.map(shown)
})
