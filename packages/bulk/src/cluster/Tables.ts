/**
 * The tables of runs that several machines share. They contain line numbers, offsets and outcomes, and nothing of the
 * input.
 */
import * as Effect from "effect/Effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Creates the tables where they do not exist yet. */
export const createTables = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    CREATE TABLE IF NOT EXISTS signalbox_bulk_runs (
      id text PRIMARY KEY,
      kind text NOT NULL,
      file text NOT NULL,
      options jsonb NOT NULL,
      created_at timestamptz NOT NULL DEFAULT now(),
      planned boolean NOT NULL DEFAULT false,
      cancelled boolean NOT NULL DEFAULT false
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
      attempts integer NOT NULL DEFAULT 0,
      problem text,
      succeeded integer,
      failed integer,
      unknown integer,
      invalid integer,
      maybe_twice integer,
      outcomes jsonb,
      PRIMARY KEY (run, number)
    )`
}).pipe(
  // Of two processes that create a table at the same moment, one fails; afterwards the table exists.
  Effect.retry({ times: 3 })
)
