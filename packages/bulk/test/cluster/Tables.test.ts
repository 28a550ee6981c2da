import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { startPostgres, type Postgres } from "@signalbox/postgres/Postgres"
import * as PgClient from "@effect/sql-pg/PgClient"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { SqlClient } from "effect/sql/SqlClient"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { databaseLayer, DatabaseRuns, readLayer } from "../../src/cluster.ts"

describe("the tables of a database", () => {
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
    Effect.runPromise(
      DatabaseRuns.use((runs) => runs.status("old")).pipe(Effect.provide(readLayer(url)), Effect.result)
    )

  it("are rejected by a process that knows another version", async () => {
    await inDatabase(
      Redacted.make(postgres.url),
      SqlClient.use((sql) => sql`CREATE DATABASE versions`)
    )
    const url = urlOf("versions")
    const refusal = (layer: typeof databaseLayer | typeof readLayer) =>
      Effect.runPromise(
        DatabaseRuns.use((runs) => runs.status(".")).pipe(
          Effect.provide(layer(url)),
          Effect.flip,
          Effect.map(({ message }) => message)
        )
      )
    assert.strictEqual(
      await refusal(readLayer),
      "the database has no tables yet; start a worker once, which creates them"
    )
    const older = (version: number) =>
      `the tables are of version ${version}, and this process needs version 6; ` +
      "finish their runs with the version that created them, then use an empty database"
    assert.strictEqual(await refusal(databaseLayer), "the database has no run yet")
    const later = "the tables are of version 99, and this process knows version 6; upgrade it"
    for (const [version, message] of [
      [3, older(3)],
      [99, later]
    ] as const) {
      await inDatabase(
        url,
        SqlClient.use((sql) => sql`UPDATE signalbox_bulk_schema SET version = ${version}`)
      )
      assert.strictEqual(await refusal(databaseLayer), message)
      assert.strictEqual(await refusal(readLayer), message)
    }
  })

  it("are created once by processes that start together, and can be read by a user that may only read", async () => {
    await inDatabase(
      Redacted.make(postgres.url),
      SqlClient.use((sql) => sql`CREATE DATABASE shared`)
    )
    const url = urlOf("shared")
    const create = Effect.provide(
      DatabaseRuns.use((runs) => runs.list),
      databaseLayer(url)
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

  it("are out of reach for a reason that the error names", async () => {
    const messageFor = async (url: Redacted.Redacted<string>) => {
      const found = await statusOf(url)
      return found._tag === "Failure" ? found.failure.message : "found"
    }
    const nobody = new URL(postgres.url)
    nobody.password = "wrong"
    const found = [
      urlOf("nowhere"),
      Redacted.make("postgres://user:secret@nowhere.invalid/bulk"),
      Redacted.make("secret"),
      Redacted.make("postgres://user:secret@127.0.0.1:1/bulk"),
      Redacted.make(nobody.href)
    ].map(messageFor)
    assert.deepStrictEqual(await Promise.all(found), [
      "cannot use the database: it does not exist",
      "cannot use the database: its host is unknown",
      "cannot use the database: its URL is invalid; expected postgres://USER:PASSWORD@HOST/NAME",
      "cannot use the database: it does not respond",
      "cannot use the database: it does not accept the user name or the password"
    ])
  })
})
