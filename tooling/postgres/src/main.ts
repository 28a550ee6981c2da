/**
 * Starts a PostgreSQL until ctrl-c and prints its URL: `npm run postgres`.
 */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { startPostgres } from "./Postgres.ts"

const postgres = await startPostgres(join(tmpdir(), "signalbox-postgres"))
console.log(`SIGNALBOX_DATABASE_URL=${postgres.url}`)
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.once(signal, () => void postgres.close().then(() => process.exit(0)))
}
