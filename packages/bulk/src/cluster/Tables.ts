/**
 * The tables of runs that several machines share. They contain line numbers, offsets and outcomes; of the input, they
 * contain only values that are encrypted for the workers.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"
import { InvalidOption } from "../RunError.ts"

/** Version of the tables. A process refuses a database of a later one. */
const schemaVersion = 6

const refused = (message: string): InvalidOption => new InvalidOption({ message, option: "database" })

/** The database is of another version than this process. */
const otherVersion = (version: number): InvalidOption =>
  refused(
    version > schemaVersion
      ? `the tables are of version ${version}, and this process knows version ${schemaVersion}; upgrade it`
      : `the tables are of version ${version}, and this process needs version ${schemaVersion}; finish their runs with the version that created them, then use an empty database`
  )

/** Refuses a database whose tables are of another version. Reads only. */
export const checkVersion = Effect.gen(function* () {
  const sql = yield* SqlClient
  const [found] = yield* sql<{ readonly exists: boolean }>`
    SELECT to_regclass('signalbox_bulk_schema') IS NOT NULL AS exists`
  if (found?.exists !== true)
    return yield* refused("the database has no tables yet; start a worker once, which creates them")
  const [row] = yield* sql<{ readonly version: number }>`SELECT version FROM signalbox_bulk_schema`
  const version = row?.version ?? 0
  if (version !== schemaVersion) return yield* otherVersion(version)
})

const create = Effect.gen(function* () {
  const sql = yield* SqlClient
  // Of two processes, the second one waits until the first one has created everything.
  yield* sql`SELECT pg_advisory_xact_lock(hashtext('signalbox_bulk_schema'))`
  yield* sql`CREATE TABLE IF NOT EXISTS signalbox_bulk_schema (version integer NOT NULL)`
  const [known] = yield* sql<{ readonly version: number }>`SELECT version FROM signalbox_bulk_schema`
  if (known?.version === schemaVersion) return
  if (known !== undefined) return yield* otherVersion(known.version)
  yield* sql`
    CREATE TABLE signalbox_bulk_cluster (
      one boolean PRIMARY KEY DEFAULT true CHECK (one),
      service text NOT NULL,
      environment text,
      rate_limit integer,
      rate_window_ms integer,
      next_turn_at timestamptz
    )`
  yield* sql`
    CREATE TABLE signalbox_bulk_runs (
      id text PRIMARY KEY,
      kind text NOT NULL,
      file text NOT NULL,
      input jsonb NOT NULL,
      options jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      pass integer NOT NULL DEFAULT 1,
      planned boolean NOT NULL DEFAULT false,
      halted text,
      keys_honoured boolean NOT NULL DEFAULT false
    )`
  yield* sql`
    CREATE TABLE signalbox_bulk_chunks (
      run text NOT NULL REFERENCES signalbox_bulk_runs (id) ON DELETE CASCADE,
      number integer NOT NULL,
      lines integer NOT NULL,
      ranges jsonb NOT NULL,
      sha256 text NOT NULL,
      csv jsonb,
      input bytea,
      attempts integer NOT NULL DEFAULT 0,
      leased_until timestamptz,
      claims jsonb NOT NULL DEFAULT '[]',
      first_claimed_at timestamptz,
      claimed_by text,
      done boolean NOT NULL DEFAULT false,
      problem text,
      succeeded integer NOT NULL DEFAULT 0,
      failed integer NOT NULL DEFAULT 0,
      unknown integer NOT NULL DEFAULT 0,
      invalid integer NOT NULL DEFAULT 0,
      maybe_twice integer NOT NULL DEFAULT 0,
      outcomes jsonb,
      PRIMARY KEY (run, number)
    )`
  yield* sql`CREATE INDEX signalbox_bulk_chunks_left ON signalbox_bulk_chunks (run, number) WHERE NOT done`
  yield* sql`INSERT INTO signalbox_bulk_schema (version) VALUES (${schemaVersion})`
})

/** Creates the tables where they do not exist yet. */
export const createTables = Effect.flatMap(SqlClient, (sql) => sql.withTransaction(create))
