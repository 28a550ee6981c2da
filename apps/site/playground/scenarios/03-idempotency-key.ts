// An idempotency key that the service honours
import { createClient } from "@signalbox/sdk"
import { createFake, Fault } from "@signalbox/test-harness"

const fake = createFake({ data: "empty", switches: { "idempotency.sameBody": "replay" } })
fake.addSubscriber({ subscriberId: "ana" })
fake.addIntegration({ providerId: "fcm" })

const client = createClient({
  apiKey: fake.apiKey,
  baseUrl: fake.baseUrl,
  fetch: fake.fetch,
  // Only if your service does: without this line, the call fails, and says that it may have been applied.
  idempotency: { serviceHonoursKeys: true }
})

fake.faults.add(Fault.reset({ at: "committed" }))
const result = await client.credentials.upsert.result("ana", {
  providerId: "fcm",
  credentials: { deviceTokens: ["token-of-a-phone"] }
})
console.log(result.ok ? "stored" : result.error.message)
console.log(fake.journal.entries().length, "requests with the same key, applied once")
