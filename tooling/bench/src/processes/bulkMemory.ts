import { ProgressObserver, startImport } from "@signalbox/bulk"
import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import * as FetchTransport from "@signalbox/core/FetchTransport"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createWriteStream, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { HeapOfBulk } from "../suites/Bulk.ts"

const { gc } = globalThis
if (gc === undefined) throw new Error("this process needs --expose-gc")

const heapMegabytes = (): number => {
  gc()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

const subscriber = {
  subscriberId: "u_1",
  _organizationId: "o",
  _environmentId: "e",
  deleted: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z"
}

/** Shows the tokens of the request as stored, so that the run tracks them. */
const stored: typeof fetch = async (_, init) =>
  Response.json({ ...subscriber, channels: [{ ...JSON.parse(String(init?.body)), _integrationId: "i" }] })

const services = Client.layerNoDeps.pipe(
  Layer.provide(FetchTransport.layer(stored)),
  Layer.provide(Layer.orDie(Connection.layer({ apiKey: "key", baseUrl: "http://service.test" })))
)

function* lines(count: number): Generator<string> {
  for (let at = 0; at < count; at++) {
    yield `{"subscriberId":"u_${at}","providerId":"fcm","credentials":{"deviceTokens":["device-token-of-user-${at}"]}}\n`
  }
}

const measure = async (early: number, late: number): Promise<HeapOfBulk> => {
  const folder = mkdtempSync(join(tmpdir(), "bench-bulk-"))
  // The index of the user is not for runs of a benchmark.
  process.env["XDG_STATE_HOME"] = folder
  try {
    const input = join(folder, "tokens.ndjson")
    await pipeline(Readable.from(lines(late)), createWriteStream(input))
    let earlyMegabytes = Number.NaN
    let lateMegabytes = Number.NaN
    const run = startImport({ input, concurrency: 32 }).pipe(
      Effect.provideService(ProgressObserver, ({ counts }) => {
        if (counts.succeeded >= early && Number.isNaN(earlyMegabytes)) earlyMegabytes = heapMegabytes()
        if (counts.succeeded === late) lateMegabytes = heapMegabytes()
      }),
      Effect.provide(services)
    )
    await Effect.runPromise(run)
    return { early: earlyMegabytes, late: lateMegabytes }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

process.send?.(await measure(Number(process.argv[2]), Number(process.argv[3])))
