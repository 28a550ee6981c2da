/**
 * The database of runs that several machines share.
 */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { Chunk, ChunkOptions } from "../Chunk.ts"
import type { OutcomeCounts } from "../journal/LineStates.ts"
import type { ReportLine } from "../Report.ts"
import { RunNotFound } from "../RunError.ts"
import { createTables } from "./Tables.ts"

/** Options that all chunks of a run have in common. */
export type ClusterRunOptions = Pick<ChunkOptions, "defaults" | "atLeastOnce" | "serviceHonoursKeys">

/** What is known of a run that several machines share. */
export interface ClusterRunStatus {
  readonly id: string
  readonly kind: "import" | "mark"
  readonly file: string
  /** `planning` while its chunks are being submitted. */
  readonly state: "planning" | "running" | "finished" | "cancelled"
  /** ISO 8601. */
  readonly createdAt: string
  /** Chunks of the run that are planned. */
  readonly chunks: number
  readonly chunksDone: number
  /** Lines by outcome, of the chunks that are done. */
  readonly counts: OutcomeCounts
  /** Lines that the service may have applied more than once. */
  readonly maybeTwice: number
  /** Why a chunk that is not done failed last, for example because its worker cannot read the file. */
  readonly problem?: string
}

/** A chunk that a worker is about to do. */
export interface TakenChunk {
  readonly chunk: Chunk
  readonly options: ClusterRunOptions
  /** 1 for the first attempt. */
  readonly attempts: number
}

/** Stored outcomes of a chunk: ranges of lines that succeeded, and the other lines one by one. */
interface StoredOutcomes {
  readonly succeeded: ReadonlyArray<readonly [from: number, to: number]>
  readonly others: ReadonlyArray<ReportLine>
}

interface RunRow extends Omit<ClusterRunStatus, "state" | "createdAt" | "counts" | "problem">, OutcomeCounts {
  readonly createdAt: Date
  readonly planned: boolean
  readonly cancelled: boolean
  readonly problem: string | null
}

const stateOf = ({ cancelled, chunks, chunksDone, planned }: RunRow): ClusterRunStatus["state"] => {
  if (cancelled) return "cancelled"
  if (!planned) return "planning"
  return chunks === chunksDone ? "finished" : "running"
}

const statusOf = (row: RunRow): ClusterRunStatus => ({
  id: row.id,
  kind: row.kind,
  file: row.file,
  state: stateOf(row),
  createdAt: row.createdAt.toISOString(),
  chunks: row.chunks,
  chunksDone: row.chunksDone,
  counts: { succeeded: row.succeeded, failed: row.failed, unknown: row.unknown, invalid: row.invalid },
  maybeTwice: row.maybeTwice,
  ...(row.problem === null ? {} : { problem: row.problem })
})

const hasSucceeded = ({ mayHaveBeenAppliedTwice, outcome }: ReportLine): boolean =>
  outcome === "succeeded" && mayHaveBeenAppliedTwice !== true

const store = (lines: ReadonlyArray<ReportLine>): StoredOutcomes => {
  const ranges: Array<[from: number, to: number]> = []
  for (const { line } of lines.filter(hasSucceeded)) {
    const last = ranges.at(-1)
    if (last?.[1] === line - 1) last[1] = line
    else ranges.push([line, line])
  }
  return { succeeded: ranges, others: lines.filter((line) => !hasSucceeded(line)) }
}

const restore = ({ others, succeeded }: StoredOutcomes): ReadonlyArray<ReportLine> =>
  [
    ...others,
    ...succeeded.flatMap(([from, to]) =>
      Array.from({ length: to - from + 1 }, (_, at): ReportLine => ({ line: from + at, outcome: "succeeded" }))
    )
  ].sort((a, b) => a.line - b.line)

const count = (lines: ReadonlyArray<ReportLine>, outcome: ReportLine["outcome"]): number =>
  lines.filter((line) => line.outcome === outcome).length

/** Chunks that a report reads at once. */
const reportBatch = 50

const make = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* createTables

  const create = (id: string, kind: "import" | "mark", file: string, options: ClusterRunOptions) => sql`
    INSERT INTO signalbox_bulk_runs (id, kind, file, options)
    VALUES (${id}, ${kind}, ${file}, ${JSON.stringify(options)}::jsonb)
    ON CONFLICT (id) DO NOTHING`

  const addChunks = (first: number, chunks: Arr.NonEmptyReadonlyArray<Chunk>) => {
    const rows = Arr.map(chunks, ({ bytes, firstLine, lines, offset, run, sha256 }, at) => ({
      run,
      number: first + at,
      first_line: firstLine,
      lines,
      byte_offset: offset,
      bytes,
      sha256
    }))
    return sql`INSERT INTO signalbox_bulk_chunks ${sql.insert(rows)} ON CONFLICT (run, number) DO NOTHING`
  }

  const setPlanned = (id: string) => sql`UPDATE signalbox_bulk_runs SET planned = true WHERE id = ${id}`

  const take = Effect.fnUntraced(function* (run: string, number: number) {
    const [row] = yield* sql<
      Omit<Chunk, "run" | "offset"> & Pick<TakenChunk, "options" | "attempts"> & { readonly offset: string }
    >`
      UPDATE signalbox_bulk_chunks AS c SET attempts = attempts + 1
      FROM signalbox_bulk_runs AS r
      WHERE c.run = ${run} AND c.number = ${number} AND c.outcomes IS NULL AND r.id = c.run AND NOT r.cancelled
      RETURNING r.kind, r.file, r.options, c.first_line AS "firstLine", c.lines, c.byte_offset::text AS "offset",
        c.bytes, c.sha256, c.attempts`
    if (row === undefined) return undefined
    const { attempts, options, offset, ...chunk } = row
    return { chunk: { ...chunk, run, offset: Number(offset) }, options, attempts } satisfies TakenChunk
  })

  const record = (run: string, number: number, lines: ReadonlyArray<ReportLine>) => sql`
    UPDATE signalbox_bulk_chunks
    SET succeeded = ${count(lines, "succeeded")}, failed = ${count(lines, "failed")},
      unknown = ${count(lines, "unknown")}, invalid = ${count(lines, "invalid")},
      maybe_twice = ${lines.filter((line) => line.mayHaveBeenAppliedTwice).length}, problem = NULL,
      outcomes = ${JSON.stringify(store(lines))}::jsonb
    WHERE run = ${run} AND number = ${number} AND outcomes IS NULL`

  const note = (run: string, number: number, problem: string) => sql`
    UPDATE signalbox_bulk_chunks SET problem = ${problem}
    WHERE run = ${run} AND number = ${number} AND outcomes IS NULL`

  const status = Effect.fnUntraced(function* (id: string): Effect.fn.Return<ClusterRunStatus, SqlError | RunNotFound> {
    const [row] = yield* sql<RunRow>`
      SELECT r.id, r.kind, r.file, r.created_at AS "createdAt", r.planned, r.cancelled, count(c.number)::int AS chunks,
        count(c.outcomes)::int AS "chunksDone", coalesce(sum(c.succeeded), 0)::int AS succeeded,
        coalesce(sum(c.failed), 0)::int AS failed, coalesce(sum(c.unknown), 0)::int AS unknown,
        coalesce(sum(c.invalid), 0)::int AS invalid, coalesce(sum(c.maybe_twice), 0)::int AS "maybeTwice",
        max(c.problem) AS problem
      FROM signalbox_bulk_runs AS r LEFT JOIN signalbox_bulk_chunks AS c ON c.run = r.id
      WHERE r.id = ${id} GROUP BY r.id`
    if (row === undefined) return yield* new RunNotFound({ message: `the database has no run ${id}` })
    return statusOf(row)
  })

  const cancel = Effect.fnUntraced(function* (id: string) {
    yield* sql`UPDATE signalbox_bulk_runs SET cancelled = true WHERE id = ${id}`
    return yield* status(id)
  })

  const reportPart = (id: string, after: number) => sql<{
    readonly number: number
    readonly outcomes: StoredOutcomes
  }>`
    SELECT number, outcomes FROM signalbox_bulk_chunks
    WHERE run = ${id} AND number > ${after} AND outcomes IS NOT NULL ORDER BY number LIMIT ${reportBatch}`

  const report = (id: string): Stream.Stream<ReportLine, SqlError> =>
    Stream.paginate(-1, (after: number) =>
      Effect.map(reportPart(id, after), (rows) => {
        const lines = rows.flatMap(({ outcomes }) => restore(outcomes))
        return [lines, Option.map(Option.fromNullishOr(rows.at(-1)), ({ number }) => number)] as const
      })
    )

  return { create, addChunks, setPlanned, take, record, note, status, cancel, report }
})

/**
 * Runs that several machines share: `status`, `cancel` and `report` work from any process that reaches the database.
 */
export class ClusterRuns extends Context.Service<ClusterRuns, Effect.Success<typeof make>>()(
  "signalbox/bulk/cluster/ClusterRuns"
) {
  static readonly layer = Layer.effect(ClusterRuns, make)
}
