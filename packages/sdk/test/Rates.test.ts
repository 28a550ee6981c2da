import { assert, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { createClient } from "../src/index.ts"

const rows = 1000

describe("upsertMany of 1,000 rows over sockets", () => {
  it.each([50, 100])("loses no row on the plan pro: concurrency %i", async (concurrency) => {
    const fake = createFake({
      data: "empty",
      journalCapacity: 2 * rows,
      switches: { "rateLimit.headers": "present", "rateLimit.plan": "pro" }
    })
    fake.addIntegration({ providerId: "fcm" })
    await using server = await listen(fake)
    await using client = createClient({ apiKey: fake.apiKey, baseUrl: server.url })
    const inputs = Array.from({ length: rows }, (_, at) => {
      fake.addSubscriber({ subscriberId: `user-${at}` })
      return {
        subscriberId: `user-${at}`,
        providerId: "fcm",
        credentials: { deviceTokens: [`token-of-${at}`] }
      } as const
    })
    let succeeded = 0
    for await (const { ok } of client.credentials.upsertMany(inputs, { concurrency })) if (ok) succeeded++
    assert.strictEqual(succeeded, rows)
    const statuses = fake.journal.entries().map(({ outcome }) => (outcome?._tag === "Response" ? outcome.status : 0))
    const rejected = statuses.filter((status) => status === 429).length
    assert.strictEqual(statuses.filter((status) => status === 200).length, rows)
    assert.strictEqual(statuses.length, rows + rejected)
    assert.isAtMost(rejected / statuses.length, 0.02)
  })
})
