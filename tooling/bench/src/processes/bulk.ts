import { createClient, type UpsertInput } from "@signalbox/sdk"
import type { HeapOfBulk } from "../suites/Bulk.ts"

const { gc } = globalThis
if (gc === undefined) throw new Error("this process needs --expose-gc")

const heapMegabytes = (): number => {
  gc()
  return process.memoryUsage().heapUsed / 1e6
}

const subscriber = {
  subscriberId: "u_1",
  _organizationId: "o",
  _environmentId: "e",
  deleted: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z"
}

const client = createClient({
  apiKey: "key",
  baseUrl: "http://service.test",
  fetch: () => Promise.resolve(Response.json(subscriber))
})

// The size of one input shows at once when inputs or outcomes are kept.
async function* inputs(count: number): AsyncGenerator<UpsertInput> {
  for (let at = 0; at < count; at++) {
    yield { subscriberId: `u_${at}`, providerId: "fcm", credentials: { deviceTokens: [`${at}`.padStart(2_000, "t")] } }
  }
}

const measure = async (early: number, late: number): Promise<HeapOfBulk> => {
  let done = 0
  let earlyMegabytes = Number.NaN
  for await (const { ok } of client.credentials.upsertMany(inputs(late), { concurrency: 20 })) {
    if (!ok) throw new Error("an input failed")
    if (++done === early) earlyMegabytes = heapMegabytes()
  }
  return { early: earlyMegabytes, late: heapMegabytes() }
}

process.send?.(await measure(Number(process.argv[2]), Number(process.argv[3])))
