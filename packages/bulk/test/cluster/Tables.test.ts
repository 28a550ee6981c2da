import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { startPostgres, type Postgres } from "@signalbox/postgres/Postgres"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { clientLayer, ClusterRuns, readLayer } from "../../src/cluster.ts"

describe("the tables of a cluster", () => {
  let postgres: Postgres

  beforeAll(async () => {
    postgres = await startPostgres(join(tmpdir(), `bulk-tables-${process.pid}`))
  })

  afterAll(() => postgres.close())

  const urlOf = (database: string, user?: string): Redacted.Redacted<string> => {
    const url = new URL(postgres.url)
    url.pathname = database
    if (user !== undefined) url.username = user
    return Redacted.make(url.href)
  }

  /** Uses a database directly. */
  const inDatabase = <A, E>(url: Redacted.Redacted<string>, use: Effect.Effect<A, E, SqlClient>): Promise<A> =>
    Effect.runPromise(Effect.provide(use, PgClient.layer({ url })))

  const statusOf = (url: Redacted.Redacted<string>) =>
    Effect.runPromise(ClusterRuns.use((runs) => runs.status("old")).pipe(Effect.provide(readLayer(url)), Effect.result))

  it("are upgraded with their runs, and rejected by a process that knows another version", async () => {
    await inDatabase(
      Redacted.make(postgres.url),
      SqlClient.use((sql) => sql`CREATE DATABASE upgraded`)
    )
    const url = urlOf("upgraded")
    await inDatabase(
      url,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`CREATE TABLE signalbox_bulk_cluster (
          one boolean PRIMARY KEY DEFAULT true, service text NOT NULL, rate_limit integer, rate_window_ms integer)`
        yield* sql`CREATE TABLE signalbox_bulk_runs (
          id text PRIMARY KEY, kind text NOT NULL, file text NOT NULL, input jsonb NOT NULL, options jsonb NOT NULL,
          created_at timestamptz NOT NULL DEFAULT now(), pass integer NOT NULL DEFAULT 1,
          planned boolean NOT NULL DEFAULT false, cancelled boolean NOT NULL DEFAULT false,
          keys_honoured boolean NOT NULL DEFAULT false)`
        yield* sql`CREATE TABLE signalbox_bulk_chunks (
          run text NOT NULL, number integer NOT NULL, first_line integer NOT NULL, lines integer NOT NULL,
          byte_offset bigint NOT NULL, bytes integer NOT NULL, sha256 text NOT NULL, only_lines jsonb, csv jsonb,
          input bytea, lane integer, attempts integer NOT NULL DEFAULT 0, in_doubt boolean NOT NULL DEFAULT false,
          done boolean NOT NULL DEFAULT false, problem text, succeeded integer NOT NULL DEFAULT 0,
          failed integer NOT NULL DEFAULT 0, unknown integer NOT NULL DEFAULT 0, invalid integer NOT NULL DEFAULT 0,
          maybe_twice integer NOT NULL DEFAULT 0, outcomes jsonb, PRIMARY KEY (run, number))`
        yield* sql`INSERT INTO signalbox_bulk_runs (id, kind, file, input, options, planned)
          VALUES ('old', 'import', 'f', '{"type":"shared","location":"f"}', '{}', true)`
        yield* sql`INSERT INTO signalbox_bulk_chunks (run, number, first_line, lines, byte_offset, bytes, sha256, lane, in_doubt)
          VALUES ('old', 0, 1, 200, 0, 1, '', 7, true), ('old', 1, 201, 200, 1, 1, '', NULL, false)`
      })
    )
    const before = await statusOf(url)
    if (before._tag === "Success") return assert.fail("read tables of version 1")
    assert.match(before.failure.message, /^the tables are of version 0; start a worker of this version once/u)

    const [first, second] = await Effect.runPromise(
      ClusterRuns.use((runs) => Effect.all([runs.take(60_000), runs.take(60_000)])).pipe(
        Effect.provide(clientLayer(url))
      )
    )
    assert.deepStrictEqual([first?.inDoubtTo, first?.isKeyExpired], [201, true])
    assert.deepStrictEqual([second?.inDoubtTo, second?.isKeyExpired], [0, false])

    await inDatabase(
      url,
      SqlClient.use((sql) => sql`UPDATE signalbox_bulk_schema SET version = 99`)
    )
    const later = await Effect.runPromise(
      ClusterRuns.use((runs) => runs.newest).pipe(Effect.provide(clientLayer(url)), Effect.flip)
    )
    assert.strictEqual(later.message, "the tables are of version 99, and this process knows version 2; upgrade it")
  })

  it("are created once by processes that start together, and can be read by a user that may only read", async () => {
    await inDatabase(
      Redacted.make(postgres.url),
      SqlClient.use((sql) => sql`CREATE DATABASE shared`)
    )
    const url = urlOf("shared")
    const create = Effect.provide(
      ClusterRuns.use((runs) => runs.claimService("s")),
      clientLayer(url)
    )
    await Effect.runPromise(Effect.all([create, create, create], { concurrency: "unbounded" }))
    const password = new URL(postgres.url).password
    await inDatabase(
      url,
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`CREATE ROLE reader LOGIN PASSWORD ${sql.literal(`'${password}'`)}`
        yield* sql`GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader`
      })
    )
    const found = await statusOf(urlOf("shared", "reader"))
    assert.deepStrictEqual(
      [found._tag, found._tag === "Failure" && found.failure.message],
      ["Failure", "the database has no run old"]
    )
  })
})
