import { ProgressObserver, startImport } from "@signalbox/bulk"
import { createClient, type UpsertInput } from "@signalbox/sdk"
import * as Effect from "effect/Effect"
import { createWriteStream, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { subscriber } from "../Input.ts"
import type { HeapOfBulk, HeapWork } from "../suites/Bulk.ts"
import { clientOver } from "../UpsertWork.ts"

const { gc } = globalThis
if (gc === undefined) throw new Error("this process needs --expose-gc")

const heapMegabytes = (): number => {
  gc()
  const { arrayBuffers, heapUsed } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

type Measure = (early: number, late: number) => Promise<HeapOfBulk>

/** Shows the tokens of the request as stored, so that the run tracks them. */
const stored: typeof fetch = async (_, init) =>
  Response.json({ ...subscriber, channels: [{ ...JSON.parse(String(init?.body)), _integrationId: "i" }] })

function* lines(count: number): Generator<string> {
  for (let at = 0; at < count; at++) {
    yield `{"subscriberId":"u_${at}","providerId":"fcm","credentials":{"deviceTokens":["device-token-of-user-${at}"]}}\n`
  }
}

/** The heap during a bulk run. */
const ofRun: Measure = async (early, late) => {
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
      Effect.provide(clientOver("http://service.test", stored))
    )
    await Effect.runPromise(run)
    return { early: earlyMegabytes, late: lateMegabytes }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The heap during `upsertMany`. The size of one input shows at once when inputs or outcomes are kept. */
const ofUpsertMany: Measure = async (early, late) => {
  const fetch = () => Promise.resolve(Response.json(subscriber))
  const client = createClient({ apiKey: "key", baseUrl: "http://service.test", fetch })
  async function* inputs(): AsyncGenerator<UpsertInput> {
    for (let at = 0; at < late; at++) {
      const deviceTokens = [`${at}`.padStart(2_000, "t")]
      yield { subscriberId: `u_${at}`, providerId: "fcm", credentials: { deviceTokens } }
    }
  }
  let done = 0
  let earlyMegabytes = Number.NaN
  for await (const { ok } of client.credentials.upsertMany(inputs(), { concurrency: 20 })) {
    if (!ok) throw new Error("an input failed")
    if (++done === early) earlyMegabytes = heapMegabytes()
  }
  return { early: earlyMegabytes, late: heapMegabytes() }
}

const works: Readonly<Record<HeapWork, Measure>> = { run: ofRun, upsertMany: ofUpsertMany }
// The suite names one of the works.
const measure = works[process.argv[2] as HeapWork]
process.send?.(await measure(Number(process.argv[3]), Number(process.argv[4])))
