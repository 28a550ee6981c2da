/**
 * The tables of runs that several machines share. They contain line numbers, offsets and outcomes; of the input, they
 * contain only values that are encrypted for the workers.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Creates the tables where they do not exist yet. */
export const createTables = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE TABLE IF NOT EXISTS signalbox_bulk_cluster (
      one boolean PRIMARY KEY DEFAULT true CHECK (one),
      service text NOT NULL,
      rate_limit integer,
      rate_window_ms integer
    )`
  yield* sql`
    CREATE TABLE IF NOT EXISTS signalbox_bulk_runs (
      id text PRIMARY KEY,
      kind text NOT NULL,
      file text NOT NULL,
      input jsonb NOT NULL,
      options jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      pass integer NOT NULL DEFAULT 1,
      planned boolean NOT NULL DEFAULT false,
      cancelled boolean NOT NULL DEFAULT false,
      keys_honoured boolean NOT NULL DEFAULT false
    )`
  yield* sql`
    CREATE TABLE IF NOT EXISTS signalbox_bulk_chunks (
      run text NOT NULL REFERENCES signalbox_bulk_runs (id) ON DELETE CASCADE,
      number integer NOT NULL,
      first_line integer NOT NULL,
      lines integer NOT NULL,
      byte_offset bigint NOT NULL,
      bytes integer NOT NULL,
      sha256 text NOT NULL,
      only_lines jsonb,
      csv jsonb,
      input bytea,
      lane integer,
      attempts integer NOT NULL DEFAULT 0,
      in_doubt boolean NOT NULL DEFAULT false,
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
  yield* sql`
    CREATE INDEX IF NOT EXISTS signalbox_bulk_chunks_left ON signalbox_bulk_chunks (run, number) WHERE NOT done`
}).pipe(
  // Of two processes that create a table at the same moment, one fails; afterwards the table exists.
  Effect.retry({ times: 5 })
)
