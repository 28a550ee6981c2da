import { startImport } from "@signalbox/bulk"
import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import { createClient, type UpsertInput } from "@signalbox/sdk"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { serveRounds } from "../Rounds.ts"

const [baseUrl = "", count = "", concurrency = ""] = process.argv.slice(2)
const inputs: ReadonlyArray<UpsertInput> = Array.from({ length: Number(count) }, (_, at) => ({
  subscriberId: `u_${at}`,
  providerId: "fcm",
  credentials: { deviceTokens: [`device-token-of-user-${at}`] }
}))

/** Calls for all inputs, as many at once as a run has. */
const inLoop = async (call: (input: UpsertInput) => Promise<unknown>): Promise<void> => {
  const left = inputs.values()
  const worker = async () => {
    for (const input of left) await call(input)
  }
  await Promise.all(Array.from({ length: Number(concurrency) }, worker))
}

const headers = { accept: "application/json", authorization: "ApiKey key", "content-type": "application/json" }
const client = createClient({ apiKey: "key", baseUrl })
const services = Client.layerNoDeps.pipe(
  Layer.provide(FetchTransport.layer()),
  Layer.provide(Layer.orDie(Connection.layer({ apiKey: "key", baseUrl })))
)
const text = inputs.map((input) => `${JSON.stringify(input)}\n`).join("")

const run = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), "bench-bulk-"))
  // The index of the user is not for runs of a benchmark.
  process.env["XDG_STATE_HOME"] = folder
  try {
    const input = join(folder, "tokens.ndjson")
    writeFileSync(input, text)
    const started = startImport({ input, concurrency: Number(concurrency) })
    const { counts } = await Effect.runPromise(Effect.provide(started, services))
    if (counts.succeeded !== inputs.length) throw new Error("a line failed")
  } finally {
    rmSync(folder, { recursive: true })
  }
}

await serveRounds([
  {
    name: "fetch",
    run: () =>
      inLoop(async ({ subscriberId, ...body }) => {
        const url = `${baseUrl}/v1/subscribers/${subscriberId}/credentials`
        const response = await fetch(url, { method: "PATCH", headers, body: JSON.stringify(body) })
        return JSON.parse(await response.text())
      })
  },
  { name: "sdk", run: () => inLoop(({ subscriberId, ...input }) => client.credentials.upsert(subscriberId, input)) },
  { name: "run", run }
])
