import { startImport } from "@signalbox/bulk"
import { createClient } from "@signalbox/sdk"
import * as Effect from "effect/Effect"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { serveRounds } from "../Rounds.ts"
import { clientOver, inLoop, linesOf, upserts } from "../UpsertWork.ts"

const [baseUrl = "", count = "", concurrency = ""] = process.argv.slice(2)
const inputs = upserts(Number(count))
const client = createClient({ apiKey: "key", baseUrl })
const folders = mkdtempSync(join(tmpdir(), "bench-bulk-"))
// Deleting the files of a run is no part of it.
process.on("exit", () => rmSync(folders, { recursive: true }))
const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(folders, "run-"))
  // The index of the user is not for runs of a benchmark.
  process.env["XDG_STATE_HOME"] = folder
  const input = join(folder, "tokens.ndjson")
  writeFileSync(input, linesOf(inputs))
  const started = startImport({ input, concurrency: Number(concurrency) })
  const { counts } = await Effect.runPromise(Effect.provide(started, clientOver(baseUrl)))
  if (counts.succeeded !== inputs.length) throw new Error("a line failed")
}

await serveRounds([
  {
    name: "sdk",
    run: () =>
      inLoop(inputs, Number(concurrency), ({ subscriberId, ...input }) =>
        client.credentials.upsert(subscriberId, input)
      )
  },
  { name: "run", run }
])
