// Wait for a rate limit
import { createClientFromEnv } from "@signalbox/sdk"
import { createFake, Fault } from "@signalbox/test-harness"

const fake = createFake({ seed: 7 })
fake.faults.add(Fault.rateLimited({ retryAfterMs: 1000 }))

const { apiKey, baseUrl, fetch } = fake
const client = createClientFromEnv({ apiKey, baseUrl, fetch })

console.time("list")
const { ok } = await client.events.list.result({ limit: 1 })
console.timeEnd("list")
console.log(ok ? "The client waited, and sent the request again." : "The wait did not fit the deadline.")
