/**
 * The storage of runs that several machines share: runs, their chunks, and what the machines have in common.
 */
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type { Fragment } from "effect/sql/Statement"
import * as Stream from "effect/Stream"
import type { Chunk, CsvPart } from "./Chunk.ts"
import type { LineRunKind } from "../input/LineRequest.ts"
import type { InputFormat } from "../input/InputFile.ts"
import type { Sample } from "../input/Repeats.ts"
import type { LineRunHeader } from "../journal/JournalRecord.ts"
import type { OutcomeCounts } from "../journal/LineStates.ts"
import { type ReportLine, shown } from "../Report.ts"
import { RunNotFound } from "../RunError.ts"
import type { Halt, RunStatus } from "../RunStatus.ts"
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
  /** Hash of the input. */
  readonly sha256: string
  readonly sample: Sample
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

/** A run, and whether all of its lines were submitted. */
export interface FoundRun extends SubmittedRun {
  readonly isPlanned: boolean
}

/** A run of the same input or file. */
export interface EarlierRun extends SubmittedRun {
  /** `null` while lines are left. */
  readonly end: "finished" | "cancelled" | null
  /** Whether the service may have applied a line. */
  readonly mayHaveBeenApplied: boolean
}

/** A chunk that a worker is about to do. */
export interface TakenChunk {
  readonly number: number
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
  /** Digest of the API key of the last claims; `undefined` where the worker has told none. */
  readonly claimedBy: string | undefined
  /** Whether lines were sent so long ago that the service may not know their keys any more. */
  readonly isKeyExpired: boolean
  /** The environment of the database; `undefined` before a response named it. */
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

/** A chunk that is added to a run, and its content where that is staged. */
export interface AddedChunk {
  readonly chunk: Chunk
  readonly sealed?: Buffer | undefined
}

/** The operations of the storage. Each one is atomic, and durable when it returns. */
export interface ChunkStoreShape {
  /** Makes the storage that of a service, and returns the service that it is for. */
  readonly claimService: (service: string) => Effect.Effect<string, SqlError>
  /** Makes it that of an environment, unless it is for another one already, and returns which one it is for. */
  readonly claimEnvironment: (environment: string) => Effect.Effect<string, SqlError>
  readonly serviceLimit: Effect.Effect<ServiceLimit | undefined, SqlError>
  readonly setServiceLimit: (limit: ServiceLimit) => Effect.Effect<void, SqlError>
  /**
   * Takes the next turn of the fleet, which lasts some time, and returns how long it is until then; by the clock of the
   * storage, so that the clocks of the machines do not matter.
   */
  readonly takeTurn: (forMs: number) => Effect.Effect<number, SqlError>
  /** Lets the fleet wait for its next turn. */
  readonly hold: (forMs: number) => Effect.Effect<void, SqlError>
  /** Creates a run, unless `verify` refuses it because of the runs of the same input or file, newest first. */
  readonly create: <E>(
    run: SubmittedRun,
    verify: (earlier: ReadonlyArray<EarlierRun>) => Effect.Effect<void, E>
  ) => Effect.Effect<void, SqlError | E>
  /** The newest run with an id or of a file; of all runs for `.`. */
  readonly find: (name: string, file: string) => Effect.Effect<FoundRun, SqlError | RunNotFound>
  readonly addChunks: (first: number, chunks: Arr.NonEmptyReadonlyArray<AddedChunk>) => Effect.Effect<void, SqlError>
  readonly setPlanned: (id: string) => Effect.Effect<void, SqlError>
  /**
   * Takes the next chunk of any run for some time: first one that a dead worker left, otherwise the next one that no worker
   * has had. `undefined` when no chunk is left.
   */
  readonly take: (leaseMs: number) => Effect.Effect<TakenChunk | undefined, SqlError>
  /** Keeps a chunk for some time more; returns whether this attempt still has it, and its run is not halted. */
  readonly extend: (taken: TakenChunk, leaseMs: number) => Effect.Effect<boolean, SqlError>
  /**
   * Replaces the claims of a chunk, before more of its lines are sent, and records the outcomes so far; returns whether
   * this attempt still has the chunk, and its run is not halted. Otherwise, nothing is changed.
   */
  readonly claim: (
    taken: TakenChunk,
    claims: ReadonlyArray<Lines>,
    outcomes: ReadonlyArray<ChunkOutcome>,
    claimedBy: string | undefined
  ) => Effect.Effect<boolean, SqlError>
  /**
   * Records the outcome of an attempt, unless a later attempt has made it void. Lines that are left are free for any
   * worker, after a pause where there was a problem.
   */
  readonly record: (taken: TakenChunk, attempt: ChunkAttempt) => Effect.Effect<void, SqlError>
  /** The status of a run, or of all runs, oldest first. */
  readonly statuses: (id?: string) => Effect.Effect<ReadonlyArray<RunStatus>, SqlError>
  /** Halts a run, or lets it continue: no further lines of a run that is halted are claimed. */
  readonly halt: (id: string, halt: Halt | undefined) => Effect.Effect<void, SqlError>
  readonly remove: (id: string) => Effect.Effect<void, SqlError>
  /** Starts another pass over the failed and unknown lines; earlier attempts at their chunks are void. */
  readonly startPass: (id: string, atLeastOnce: boolean | undefined) => Effect.Effect<void, SqlError>
  /** The outcome of every line that has one, in the order of the lines. */
  readonly report: (id: string) => Stream.Stream<ReportLine, SqlError>
}

interface RunRow extends Omit<RunStatus, "state" | "createdAt" | "counts" | "problem" | "journal">, OutcomeCounts {
  readonly createdAt: Date
  readonly chunks: number
  readonly chunksDone: number
  readonly planned: boolean
  readonly halted: Halt | null
  readonly problem: string | null
}

interface TakenRow
  extends
    Pick<TakenChunk, "number" | "input" | "options" | "keysHonoured" | "pass" | "claims" | "isKeyExpired" | "attempts">,
    Omit<Chunk, "csv"> {
  readonly csv: CsvPart | null
  readonly sealed: Uint8Array | null
  readonly outcomes: StoredOutcomes | null
  readonly claimedBy: string | null
  readonly environment: string | null
}

const stateOf = ({ chunks, chunksDone, halted, planned }: RunRow): RunStatus["state"] => {
  if (halted !== "cancelled" && planned && chunks === chunksDone) return "finished"
  return halted ?? (planned ? "running" : "planning")
}

/** The message of a line in doubt. */
export const inDoubt = "the line is in flight, or its worker has ended; it may have been applied"

const statusOf = (row: RunRow): RunStatus => ({
  id: row.id,
  kind: row.kind,
  file: row.file,
  state: stateOf(row),
  createdAt: row.createdAt.toISOString(),
  total: row.total,
  counts: { succeeded: row.succeeded, failed: row.failed, unknown: row.unknown, invalid: row.invalid },
  maybeTwice: row.maybeTwice,
  pass: row.pass,
  inDoubt: row.inDoubt,
  journal: row.id,
  ...(row.problem === null ? {} : { problem: row.problem })
})

const takenOf = (row: TakenRow): TakenChunk => {
  const { csv, kind, lines, options, ranges, run, sealed, sha256, ...taken } = row
  return {
    ...taken,
    chunk: { run, kind, lines, ranges, sha256, ...(csv && { csv }) },
    sealed: sealed === null ? undefined : Buffer.from(sealed),
    options,
    keysHonoured: row.keysHonoured || options.serviceHonoursKeys,
    earlier: row.outcomes === null ? [] : restore(row.outcomes),
    claimedBy: row.claimedBy ?? undefined,
    environment: row.environment ?? undefined
  }
}

const make: Effect.Effect<ChunkStoreShape, never, SqlClient> = Effect.gen(function* () {
  const sql = yield* SqlClient

  const until = (leaseMs: number) => sql`clock_timestamp() + ${leaseMs}::float8 * interval '1 millisecond'`

  /** The columns of outcomes. */
  const assigned = (outcomes: ReadonlyArray<ChunkOutcome>) => {
    const { failed, invalid, maybeTwice, succeeded, unknown } = countsOf(outcomes)
    return sql`succeeded = ${succeeded}, failed = ${failed}, unknown = ${unknown}, invalid = ${invalid},
      maybe_twice = ${maybeTwice}, outcomes = ${JSON.stringify(store(outcomes))}::jsonb`
  }

  const claimService = (service: string): Effect.Effect<string, SqlError> =>
    Effect.map(
      sql<{ readonly service: string }>`
        INSERT INTO signalbox_bulk_cluster (service) VALUES (${service})
        ON CONFLICT (one) DO UPDATE SET one = true RETURNING service`,
      ([row]) => row?.service ?? service
    )

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

  const takeTurn = (forMs: number): Effect.Effect<number, SqlError> =>
    Effect.map(
      sql<{ readonly waitMs: number }>`
        UPDATE signalbox_bulk_cluster
        SET next_turn_at = greatest(next_turn_at, clock_timestamp()) + ${forMs}::float8 * interval '1 millisecond'
        RETURNING (extract(epoch FROM next_turn_at - clock_timestamp()) * 1000)::float8 - ${forMs}::float8 AS "waitMs"`,
      ([row]) => row?.waitMs ?? 0
    )

  const hold = (forMs: number): Effect.Effect<void, SqlError> =>
    Effect.asVoid(sql`UPDATE signalbox_bulk_cluster SET next_turn_at = greatest(next_turn_at, ${until(forMs)})`)

  const submittedColumns = sql.literal("r.id, r.kind, r.file, r.input, r.options")

  const create: ChunkStoreShape["create"] = (run, verify) =>
    sql.withTransaction(
      Effect.gen(function* () {
        const { file, id, input, kind, options } = run
        // Of two submissions of one input, the second one waits for the first, and finds it.
        yield* sql`SELECT pg_advisory_xact_lock(hashtext(${options.sha256}))`
        yield* Effect.flatMap(
          sql<EarlierRun>`
            SELECT ${submittedColumns},
              CASE WHEN r.halted = 'cancelled' THEN 'cancelled' WHEN r.planned AND NOT EXISTS (
                SELECT FROM signalbox_bulk_chunks AS c WHERE c.run = r.id AND NOT c.done
              ) THEN 'finished' END AS "end",
              EXISTS (
                SELECT FROM signalbox_bulk_chunks AS c
                WHERE c.run = r.id AND (c.succeeded + c.unknown > 0 OR c.claims <> '[]')
              ) AS "mayHaveBeenApplied"
            FROM signalbox_bulk_runs AS r
            WHERE r.options->>'sha256' = ${options.sha256} OR r.file = ${file}
            ORDER BY r.created_at DESC`,
          verify
        )
        yield* sql`
          INSERT INTO signalbox_bulk_runs (id, kind, file, input, options)
          VALUES (${id}, ${kind}, ${file}, ${JSON.stringify(input)}::jsonb, ${JSON.stringify(options)}::jsonb)`
      })
    )

  const find = Effect.fnUntraced(function* (name: string, file: string) {
    const [row] = yield* sql<FoundRun>`
      SELECT ${submittedColumns}, r.planned AS "isPlanned" FROM signalbox_bulk_runs AS r WHERE ${name} IN ('.', r.id) OR r.file = ${file}
      ORDER BY r.created_at DESC LIMIT 1`
    const message = name === "." ? "the database has no run yet" : `the database has no run ${name}`
    return row ?? (yield* new RunNotFound({ message }))
  })

  const addChunks = (first: number, chunks: Arr.NonEmptyReadonlyArray<AddedChunk>) => {
    const rows = Arr.map(chunks, ({ chunk, sealed }, at) => ({
      run: chunk.run,
      number: first + at,
      lines: chunk.lines,
      ranges: JSON.stringify(chunk.ranges),
      sha256: chunk.sha256,
      csv: chunk.csv === undefined ? null : JSON.stringify(chunk.csv),
      input: sealed ?? null
    }))
    return Effect.asVoid(
      sql`INSERT INTO signalbox_bulk_chunks ${sql.insert(rows)} ON CONFLICT (run, number) DO NOTHING`
    )
  }

  const setPlanned = (id: string) => Effect.asVoid(sql`UPDATE signalbox_bulk_runs SET planned = true WHERE id = ${id}`)

  const take = (leaseMs: number): Effect.Effect<TakenChunk | undefined, SqlError> =>
    Effect.map(
      // Materialized: joined, the planner may run the subquery again for each row, and take more than one chunk.
      sql<TakenRow>`
        WITH next AS MATERIALIZED (
          SELECT c.run, c.number FROM signalbox_bulk_chunks AS c JOIN signalbox_bulk_runs AS r ON r.id = c.run
          WHERE NOT c.done AND r.halted IS NULL AND (c.leased_until IS NULL OR c.leased_until < clock_timestamp())
          ORDER BY c.leased_until IS NULL, r.created_at, c.run, c.number LIMIT 1 FOR UPDATE OF c SKIP LOCKED
        )
        UPDATE signalbox_bulk_chunks AS c SET attempts = c.attempts + 1, leased_until = ${until(leaseMs)}
        FROM signalbox_bulk_runs AS r, next
        WHERE c.run = next.run AND c.number = next.number AND r.id = next.run
        RETURNING c.run, c.number, r.kind, r.input, r.options, r.keys_honoured AS "keysHonoured", r.pass,
          c.lines, c.ranges, c.sha256, c.csv, c.input AS sealed, c.outcomes, c.claims, c.claimed_by AS "claimedBy", c.attempts,
          coalesce(c.first_claimed_at < clock_timestamp()
            - coalesce((r.options->>'keyRetentionMs')::float8, 3600000) * interval '1 millisecond', false) AS "isKeyExpired",
          (SELECT environment FROM signalbox_bulk_cluster) AS environment`,
      ([row]) => (row === undefined ? undefined : takenOf(row))
    )

  /** Whether an attempt has its chunk. */
  const hasChunk = ({ attempts, chunk, number }: TakenChunk) =>
    sql`run = ${chunk.run} AND number = ${number} AND attempts = ${attempts} AND NOT done`

  /** Changes a chunk where an attempt has it and its run is not halted, and returns whether that is so. */
  const keep = (taken: TakenChunk, changes: Fragment): Effect.Effect<boolean, SqlError> =>
    Effect.map(
      sql`
        UPDATE signalbox_bulk_chunks SET ${changes} WHERE ${hasChunk(taken)}
          AND NOT EXISTS (SELECT FROM signalbox_bulk_runs WHERE id = run AND halted IS NOT NULL) RETURNING number`,
      (rows) => rows.length > 0
    )

  const extend: ChunkStoreShape["extend"] = (taken, leaseMs) => keep(taken, sql`leased_until = ${until(leaseMs)}`)

  const claim: ChunkStoreShape["claim"] = (taken, claims, outcomes, claimedBy) =>
    keep(
      taken,
      sql`claims = ${JSON.stringify(claims)}::jsonb, claimed_by = ${claimedBy ?? null},
        first_claimed_at = coalesce(first_claimed_at, clock_timestamp()), ${assigned(merge(taken.earlier, outcomes))}`
    )

  const record = Effect.fnUntraced(function* (taken: TakenChunk, attempt: ChunkAttempt) {
    const { chunk, earlier, keysHonoured } = taken
    const { claims, isComplete, problem } = attempt
    const outcomes = merge(earlier, attempt.outcomes)
    yield* sql`
      UPDATE signalbox_bulk_chunks
      SET ${assigned(outcomes)}, problem = ${problem ?? null}, done = ${isComplete},
        leased_until = CASE WHEN ${isComplete || problem === undefined} THEN NULL
          ELSE clock_timestamp() + least(attempts, 30) * interval '1 second' END,
        claims = coalesce(${claims === undefined ? null : JSON.stringify(claims)}::jsonb, claims),
        input = CASE WHEN ${isComplete} THEN NULL ELSE input END
      WHERE ${hasChunk(taken)}`
    if (keysHonoured || !attempt.keysHonoured) return
    yield* sql`UPDATE signalbox_bulk_runs SET keys_honoured = true WHERE id = ${chunk.run}`
  })

  /** Lines that were claimed and have no outcome. */
  const linesInDoubt = sql`jsonb_path_query(c.claims, '$[*][*]') AS line WHERE NOT c.done AND NOT coalesce(
    jsonb_path_exists(c.outcomes, '$.others[*] ? (@.line == $line)', jsonb_build_object('line', line))
    OR jsonb_path_exists(c.outcomes, '$.succeeded[*] ? (@[0] <= $line && @[1] >= $line)',
      jsonb_build_object('line', line)), false)`

  const statuses = (id?: string): Effect.Effect<ReadonlyArray<RunStatus>, SqlError> =>
    Effect.map(
      sql<RunRow>`
        SELECT r.id, r.kind, r.file, r.created_at AS "createdAt", r.planned, r.halted, r.pass,
          count(c.number)::int AS chunks, (count(*) FILTER (WHERE c.done))::int AS "chunksDone",
          coalesce(sum(c.lines), 0)::int AS total, coalesce(sum(c.succeeded), 0)::int AS succeeded,
          coalesce(sum(c.failed), 0)::int AS failed, coalesce(sum(c.unknown), 0)::int AS unknown,
          coalesce(sum(c.invalid), 0)::int AS invalid, coalesce(sum(c.maybe_twice), 0)::int AS "maybeTwice",
          coalesce(sum((SELECT count(*) FROM ${linesInDoubt})), 0)::int AS "inDoubt",
          max(c.problem) FILTER (WHERE NOT c.done) AS problem
        FROM signalbox_bulk_runs AS r LEFT JOIN signalbox_bulk_chunks AS c ON c.run = r.id
        WHERE ${id === undefined ? sql`true` : sql`r.id = ${id}`} GROUP BY r.id ORDER BY r.created_at`,
      (rows) => rows.map(statusOf)
    )

  const halt: ChunkStoreShape["halt"] = Effect.fnUntraced(function* (id, as) {
    yield* sql`UPDATE signalbox_bulk_runs SET halted = ${as ?? null} WHERE id = ${id}`
    if (as === "cancelled") yield* sql`UPDATE signalbox_bulk_chunks SET input = NULL WHERE run = ${id}`
  })

  const remove = (id: string) => Effect.asVoid(sql`DELETE FROM signalbox_bulk_runs WHERE id = ${id}`)

  const startPass = (id: string, atLeastOnce: boolean | undefined) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`
          UPDATE signalbox_bulk_runs SET pass = pass + 1, halted = NULL, options = options || ${JSON.stringify(
            atLeastOnce === undefined ? {} : { atLeastOnce }
          )}::jsonb WHERE id = ${id}`
        yield* sql`
          UPDATE signalbox_bulk_chunks SET done = false, leased_until = NULL, attempts = attempts + 1
          WHERE run = ${id} AND (failed > 0 OR unknown > 0)`
      })
    )

  const report = (id: string): Stream.Stream<ReportLine, SqlError> =>
    sql<{ readonly line: number; readonly outcome: ChunkOutcome | null }>`
      SELECT o.line, o.outcome FROM signalbox_bulk_chunks AS c CROSS JOIN LATERAL (
        SELECT (other->>'line')::int AS line, other AS outcome
        FROM jsonb_array_elements(c.outcomes->'others') AS other
        UNION ALL
        SELECT line, NULL FROM jsonb_array_elements(c.outcomes->'succeeded') AS range,
          generate_series((range->>0)::int, (range->>1)::int) AS line
        UNION ALL
        SELECT line::int, jsonb_build_object('line', line, 'outcome', 'unknown', 'message', ${inDoubt}::text)
        FROM ${linesInDoubt}
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
    find,
    addChunks,
    setPlanned,
    take,
    extend,
    claim,
    record,
    statuses,
    halt,
    remove,
    startPass,
    report
  }
})

/** The storage that the workers of a run share. */
export class ChunkStore extends Context.Service<ChunkStore, ChunkStoreShape>()("signalbox/bulk/cluster/ChunkStore") {
  /** PostgreSQL, for processes that submit or do work: creates the tables. */
  static readonly layer = Layer.effect(ChunkStore, Effect.andThen(createTables, make))
  /** PostgreSQL, for processes that only read: needs no more than SELECT. */
  static readonly readLayer = Layer.effect(ChunkStore, Effect.andThen(checkVersion, make))
}
