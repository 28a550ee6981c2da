/**
 * The database of runs that several machines share.
 */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Stream from "effect/Stream"
import type { Chunk, CsvPart } from "../Chunk.ts"
import type { LineRunKind } from "../input/LineRequest.ts"
import type { InputFormat } from "../input/InputFile.ts"
import type { LineRunHeader } from "../journal/JournalRecord.ts"
import type { OutcomeCounts } from "../journal/LineStates.ts"
import { type ReportLine, shown } from "../Report.ts"
import { RunNotFound, RunStateError } from "../RunError.ts"
import type { RunSummary } from "../RunStatus.ts"
import type { Lines } from "../run/Units.ts"
import { type ChunkOutcome, countsOf, merge, restore, store, type StoredOutcomes } from "./StoredOutcomes.ts"
import { checkVersion, createTables } from "./Tables.ts"

/** Where the workers find the input of a run. */
export type RunInput =
  /** A path or URL that every worker can read. */
  | { readonly type: "shared"; readonly location: string }
  /** A URL that contains a secret, encrypted for the workers. */
  | { readonly type: "sealed"; readonly location: string }
  /** In the database, encrypted for the workers. */
  | { readonly type: "staged" }

/** Options that all chunks of a run have in common. */
export interface RunOptions extends Pick<
  LineRunHeader,
  "columns" | "defaults" | "atLeastOnce" | "serviceHonoursKeys" | "keyRetentionMs"
> {
  readonly format: InputFormat
  /** Path of the report that says which lines to do. */
  readonly failedIn?: string | undefined
}

/** A run as it was submitted. */
export interface SubmittedRun {
  readonly id: string
  readonly kind: LineRunKind
  /** The input for people: a path, or a URL without its query. */
  readonly file: string
  readonly input: RunInput
  readonly options: RunOptions
}

/** The status of a run that several machines share. */
export interface ClusterRunStatus extends RunSummary {
  /** Chunks of the run that are planned. */
  readonly chunks: number
  readonly chunksDone: number
  /** Why a chunk that is not done failed last, for example because its worker cannot read the file. */
  readonly problem?: string
}

/** A chunk that a worker is about to do. */
export interface TakenChunk {
  readonly number: number
  /** Its file is empty for an input that is not shared. */
  readonly chunk: Chunk
  readonly input: RunInput
  /** The content of a staged input, encrypted. */
  readonly sealed: Buffer | undefined
  readonly options: RunOptions
  /** Whether the service was seen to honour idempotency keys. */
  readonly keysHonoured: boolean
  readonly pass: number
  /** Outcomes that lines of the chunk have already. */
  readonly earlier: ReadonlyArray<ChunkOutcome>
  /** Lines that earlier attempts claimed, request by request, and whose outcome is not certain. */
  readonly claims: ReadonlyArray<Lines>
  /** Whether lines were sent so long ago that the service may not know their keys any more. */
  readonly isKeyExpired: boolean
  /** The environment of the cluster; `undefined` before a response named it. */
  readonly environment: string | undefined
  /** Identifies this attempt: a later one makes it void. */
  readonly attempts: number
}

/** The outcome of an attempt at a chunk. */
export interface ChunkAttempt {
  readonly outcomes: ReadonlyArray<ChunkOutcome>
  /** Whether every line has its outcome. */
  readonly isComplete: boolean
  /** Claims of lines whose outcome is not certain; those of the database when `undefined`. */
  readonly claims: ReadonlyArray<Lines> | undefined
  /** Why lines are left. */
  readonly problem: string | undefined
  readonly keysHonoured: boolean
}

/** The rate limit of the service, as a worker has seen it. */
export interface ServiceLimit {
  /** Requests in one window; `undefined` where the service states no limit. */
  readonly limit: number | undefined
  readonly windowMs: number
}

interface RunRow extends Omit<ClusterRunStatus, "state" | "createdAt" | "counts" | "problem">, OutcomeCounts {
  readonly createdAt: Date
  readonly planned: boolean
  readonly cancelled: boolean
  readonly problem: string | null
}

interface TakenRow {
  readonly number: number
  readonly kind: LineRunKind
  readonly input: RunInput
  readonly options: RunOptions
  readonly keysHonoured: boolean
  readonly pass: number
  readonly firstLine: number
  readonly lines: number
  readonly ranges: Chunk["ranges"]
  readonly sha256: string
  readonly csv: CsvPart | null
  readonly sealed: Uint8Array | null
  readonly outcomes: StoredOutcomes | null
  readonly run: string
  readonly claims: ReadonlyArray<Lines>
  readonly isKeyExpired: boolean
  readonly environment: string | null
  readonly attempts: number
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
  total: row.total,
  counts: { succeeded: row.succeeded, failed: row.failed, unknown: row.unknown, invalid: row.invalid },
  maybeTwice: row.maybeTwice,
  pass: row.pass,
  ...(row.problem === null ? {} : { problem: row.problem })
})

const takenOf = (row: TakenRow): TakenChunk => ({
  number: row.number,
  chunk: {
    run: row.run,
    kind: row.kind,
    file: row.input.type === "shared" ? row.input.location : "",
    firstLine: row.firstLine,
    lines: row.lines,
    ranges: row.ranges,
    sha256: row.sha256,
    ...(row.csv === null ? {} : { csv: row.csv })
  },
  input: row.input,
  sealed: row.sealed === null ? undefined : Buffer.from(row.sealed),
  options: row.options,
  keysHonoured: row.keysHonoured || row.options.serviceHonoursKeys,
  pass: row.pass,
  earlier: row.outcomes === null ? [] : restore(row.outcomes),
  claims: row.claims,
  isKeyExpired: row.isKeyExpired,
  environment: row.environment ?? undefined,
  attempts: row.attempts
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient

  const until = (leaseMs: number) => sql`clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'`

  /** The columns of outcomes. */
  const assigned = (outcomes: ReadonlyArray<ChunkOutcome>) => {
    const { failed, invalid, maybeTwice, succeeded, unknown } = countsOf(outcomes)
    return sql`succeeded = ${succeeded}, failed = ${failed}, unknown = ${unknown}, invalid = ${invalid},
      maybe_twice = ${maybeTwice}, outcomes = ${JSON.stringify(store(outcomes))}::jsonb`
  }

  /** Makes the database that of a service, and returns the service that it is for. */
  const claimService = (service: string): Effect.Effect<string, SqlError> =>
    Effect.map(
      sql<{ readonly service: string }>`
        INSERT INTO signalbox_bulk_cluster (service) VALUES (${service})
        ON CONFLICT (one) DO UPDATE SET one = true RETURNING service`,
      ([row]) => row?.service ?? service
    )

  /** Makes the cluster that of an environment, unless it is for another one already, and returns which one it is for. */
  const claimEnvironment = (environment: string): Effect.Effect<string, SqlError> =>
    Effect.map(
      sql<{ readonly environment: string }>`
        UPDATE signalbox_bulk_cluster SET environment = coalesce(environment, ${environment}) RETURNING environment`,
      ([row]) => row?.environment ?? environment
    )

  const serviceLimit: Effect.Effect<ServiceLimit | undefined, SqlError> = Effect.map(
    sql<{ readonly limit: number | null; readonly windowMs: number | null }>`
      SELECT rate_limit AS "limit", rate_window_ms AS "windowMs" FROM signalbox_bulk_cluster`,
    ([row]) =>
      row === undefined || row.windowMs === null ? undefined : { limit: row.limit ?? undefined, windowMs: row.windowMs }
  )

  const setServiceLimit = ({ limit, windowMs }: ServiceLimit): Effect.Effect<void, SqlError> =>
    Effect.asVoid(sql`UPDATE signalbox_bulk_cluster SET rate_limit = ${limit ?? null}, rate_window_ms = ${windowMs}`)

  /**
   * Takes the next turn of the fleet, which lasts some time, and returns how long it is until then; by the clock of the
   * database, so that the clocks of the machines do not matter.
   */
  const takeTurn = (forMs: number): Effect.Effect<number, SqlError> =>
    Effect.map(
      sql<{ readonly waitMs: number }>`
        UPDATE signalbox_bulk_cluster
        SET next_turn_at = greatest(next_turn_at, clock_timestamp()) + ${forMs}::float8 * interval '1 millisecond'
        RETURNING (extract(epoch FROM next_turn_at - clock_timestamp()) * 1000)::float8 - ${forMs}::float8 AS "waitMs"`,
      ([row]) => row?.waitMs ?? 0
    )

  /** Lets the fleet wait for its next turn. */
  const hold = (forMs: number): Effect.Effect<void, SqlError> =>
    Effect.asVoid(sql`UPDATE signalbox_bulk_cluster SET next_turn_at = greatest(next_turn_at, ${until(forMs)})`)

  const create = ({ file, id, input, kind, options }: SubmittedRun) => sql`
    INSERT INTO signalbox_bulk_runs (id, kind, file, input, options)
    VALUES (${id}, ${kind}, ${file}, ${JSON.stringify(input)}::jsonb, ${JSON.stringify(options)}::jsonb)
    ON CONFLICT (id) DO NOTHING`

  const submitted = Effect.fnUntraced(function* (id: string): Effect.fn.Return<SubmittedRun, SqlError | RunNotFound> {
    const [row] = yield* sql<SubmittedRun>`
      SELECT id, kind, file, input, options FROM signalbox_bulk_runs WHERE id = ${id}`
    return row ?? (yield* new RunNotFound({ message: `the database has no run ${id}` }))
  })

  const addChunks = (
    first: number,
    chunks: Arr.NonEmptyReadonlyArray<{ readonly chunk: Chunk; readonly sealed?: Buffer | undefined }>
  ) => {
    const rows = Arr.map(chunks, ({ chunk, sealed }, at) => ({
      run: chunk.run,
      number: first + at,
      first_line: chunk.firstLine,
      lines: chunk.lines,
      ranges: JSON.stringify(chunk.ranges),
      sha256: chunk.sha256,
      csv: chunk.csv === undefined ? null : JSON.stringify(chunk.csv),
      input: sealed ?? null
    }))
    return sql`INSERT INTO signalbox_bulk_chunks ${sql.insert(rows)} ON CONFLICT (run, number) DO NOTHING`
  }

  const setPlanned = (id: string) => sql`UPDATE signalbox_bulk_runs SET planned = true WHERE id = ${id}`

  /**
   * Takes the next chunk of any run for some time: first one that a dead worker left, otherwise the next one that no worker
   * has had. `undefined` when no chunk is left.
   */
  const take = (leaseMs: number): Effect.Effect<TakenChunk | undefined, SqlError> =>
    Effect.map(
      // Materialized: joined, the planner may run the subquery again for each row, and take more than one chunk.
      sql<TakenRow>`
        WITH next AS MATERIALIZED (
          SELECT c.run, c.number FROM signalbox_bulk_chunks AS c JOIN signalbox_bulk_runs AS r ON r.id = c.run
          WHERE NOT c.done AND NOT r.cancelled AND (c.leased_until IS NULL OR c.leased_until < clock_timestamp())
          ORDER BY c.leased_until IS NULL, r.created_at, c.run, c.number LIMIT 1 FOR UPDATE OF c SKIP LOCKED
        )
        UPDATE signalbox_bulk_chunks AS c SET attempts = c.attempts + 1, leased_until = ${until(leaseMs)}
        FROM signalbox_bulk_runs AS r, next
        WHERE c.run = next.run AND c.number = next.number AND r.id = next.run
        RETURNING c.run, c.number, r.kind, r.input, r.options, r.keys_honoured AS "keysHonoured", r.pass,
          c.first_line AS "firstLine", c.lines, c.ranges, c.sha256, c.csv, c.input AS sealed, c.outcomes, c.claims, c.attempts,
          coalesce(c.first_claimed_at < clock_timestamp()
            - coalesce((r.options->>'keyRetentionMs')::float8, 3600000) * interval '1 millisecond', false) AS "isKeyExpired",
          (SELECT environment FROM signalbox_bulk_cluster) AS environment`,
      ([row]) => (row === undefined ? undefined : takenOf(row))
    )

  /** Keeps a chunk for some time more; returns whether this attempt still has it. */
  const extend = ({ attempts, chunk, number }: TakenChunk, leaseMs: number): Effect.Effect<boolean, SqlError> =>
    Effect.map(
      sql`
        UPDATE signalbox_bulk_chunks SET leased_until = ${until(leaseMs)}
        WHERE run = ${chunk.run} AND number = ${number} AND attempts = ${attempts} AND NOT done RETURNING number`,
      (rows) => rows.length > 0
    )

  /**
   * Replaces the claims of a chunk, before more of its lines are sent, and records the outcomes so far; returns whether
   * this attempt still has the chunk.
   */
  const claim = (
    { attempts, chunk, earlier, number }: TakenChunk,
    claims: ReadonlyArray<Lines>,
    outcomes: ReadonlyArray<ChunkOutcome>
  ): Effect.Effect<boolean, SqlError> =>
    Effect.map(
      sql`
        UPDATE signalbox_bulk_chunks
        SET claims = ${JSON.stringify(claims)}::jsonb,
          first_claimed_at = coalesce(first_claimed_at, clock_timestamp()), ${assigned(merge(earlier, outcomes))}
        WHERE run = ${chunk.run} AND number = ${number} AND attempts = ${attempts} AND NOT done RETURNING number`,
      (rows) => rows.length > 0
    )

  /**
   * Records the outcome of an attempt, unless a later attempt has made it void. Lines that are left are free for any
   * worker, after a pause where there was a problem.
   */
  const record = Effect.fnUntraced(function* (taken: TakenChunk, attempt: ChunkAttempt) {
    const { attempts, chunk, earlier, keysHonoured, number } = taken
    const { claims, isComplete, problem } = attempt
    const outcomes = merge(earlier, attempt.outcomes)
    yield* sql`
      UPDATE signalbox_bulk_chunks
      SET ${assigned(outcomes)}, problem = ${problem ?? null}, done = ${isComplete},
        leased_until = CASE WHEN ${isComplete || problem === undefined} THEN NULL
          ELSE clock_timestamp() + least(attempts, 30) * interval '1 second' END,
        claims = coalesce(${claims === undefined ? null : JSON.stringify(claims)}::jsonb, claims),
        input = CASE WHEN ${isComplete} THEN NULL ELSE input END
      WHERE run = ${chunk.run} AND number = ${number} AND attempts = ${attempts} AND NOT done`
    if (keysHonoured || !attempt.keysHonoured) return
    yield* sql`UPDATE signalbox_bulk_runs SET keys_honoured = true WHERE id = ${chunk.run}`
  })

  const status = Effect.fnUntraced(function* (id: string): Effect.fn.Return<ClusterRunStatus, SqlError | RunNotFound> {
    const [row] = yield* sql<RunRow>`
      SELECT r.id, r.kind, r.file, r.created_at AS "createdAt", r.planned, r.cancelled, r.pass,
        count(c.number)::int AS chunks, (count(*) FILTER (WHERE c.done))::int AS "chunksDone",
        coalesce(sum(c.lines), 0)::int AS total, coalesce(sum(c.succeeded), 0)::int AS succeeded,
        coalesce(sum(c.failed), 0)::int AS failed, coalesce(sum(c.unknown), 0)::int AS unknown,
        coalesce(sum(c.invalid), 0)::int AS invalid, coalesce(sum(c.maybe_twice), 0)::int AS "maybeTwice",
        max(c.problem) FILTER (WHERE NOT c.done) AS problem
      FROM signalbox_bulk_runs AS r LEFT JOIN signalbox_bulk_chunks AS c ON c.run = r.id
      WHERE r.id = ${id} GROUP BY r.id`
    if (row === undefined) return yield* new RunNotFound({ message: `the database has no run ${id}` })
    return statusOf(row)
  })

  /** Id of the newest run. */
  const newest = Effect.gen(function* () {
    const [row] = yield* sql<{ readonly id: string }>`
      SELECT id FROM signalbox_bulk_runs ORDER BY created_at DESC LIMIT 1`
    return row?.id ?? (yield* new RunNotFound({ message: "the database has no run yet" }))
  })

  const cancel = Effect.fnUntraced(function* (id: string) {
    const { state } = yield* status(id)
    if (state === "finished" || state === "cancelled") {
      return yield* new RunStateError({ id, message: `run ${id} is ${state}` })
    }
    yield* sql`UPDATE signalbox_bulk_runs SET cancelled = true WHERE id = ${id}`
    // Chunks in flight have their content already.
    yield* sql`UPDATE signalbox_bulk_chunks SET input = NULL WHERE run = ${id}`
    return yield* status(id)
  })

  /** Starts another pass over the failed and unknown lines. */
  const startPass = Effect.fnUntraced(function* (id: string, atLeastOnce: boolean | undefined) {
    const { input } = yield* submitted(id)
    const { counts, file, state } = yield* status(id)
    const refuse = (message: string) => new RunStateError({ id, message })
    if (state !== "finished") return yield* refuse(`run ${id} is ${state}; only a finished run can be retried`)
    if (counts.failed + counts.unknown > 0 && input.type === "staged") {
      return yield* refuse(
        `run ${id} has no input any more: a staged input is deleted at the end of its run. ` +
          `Import the failed lines of ${file} with --failed-in and the report of this run`
      )
    }
    yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`
            UPDATE signalbox_bulk_runs SET pass = pass + 1, options = options || ${JSON.stringify(
              atLeastOnce === undefined ? {} : { atLeastOnce }
            )}::jsonb WHERE id = ${id}`
        yield* sql`
            UPDATE signalbox_bulk_chunks SET done = false WHERE run = ${id} AND (failed > 0 OR unknown > 0)`
      })
    )
  })

  /** The outcome of every line that has one, in the order of the lines. */
  const report = (id: string): Stream.Stream<ReportLine, SqlError> =>
    sql<{ readonly line: number; readonly outcome: ChunkOutcome | null }>`
      SELECT o.line, o.outcome FROM signalbox_bulk_chunks AS c CROSS JOIN LATERAL (
        SELECT (other->>'line')::int AS line, other AS outcome
        FROM jsonb_array_elements(c.outcomes->'others') AS other
        UNION ALL
        SELECT line, NULL FROM jsonb_array_elements(c.outcomes->'succeeded') AS range,
          generate_series((range->>0)::int, (range->>1)::int) AS line
      ) AS o WHERE c.run = ${id} ORDER BY o.line`.stream.pipe(
      Stream.map(({ line, outcome }): ReportLine => {
        if (outcome === null) return { line, outcome: "succeeded" }
        const { pass: _, ...record } = outcome
        return shown(record)
      })
    )

  return {
    claimService,
    claimEnvironment,
    serviceLimit,
    setServiceLimit,
    takeTurn,
    hold,
    create,
    submitted,
    addChunks,
    setPlanned,
    take,
    extend,
    claim,
    record,
    status,
    newest,
    cancel,
    startPass,
    report
  }
})

/**
 * Runs that several machines share: `status`, `cancel` and `report` work from any process that reaches the database.
 */
export class ClusterRuns extends Context.Service<ClusterRuns, Effect.Success<typeof make>>()(
  "signalbox/bulk/cluster/ClusterRuns"
) {
  /** For processes that submit or do work: creates the tables, and upgrades them. */
  static readonly layer = Layer.effect(ClusterRuns, Effect.andThen(createTables, make))
  /** For processes that only read: needs no more than SELECT. */
  static readonly readLayer = Layer.effect(ClusterRuns, Effect.andThen(checkVersion, make))
}
