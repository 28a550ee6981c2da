// A service that responds too late
import { createClient } from "@signalbox/sdk"
import { createFake, Fault } from "@signalbox/test-harness"

const fake = createFake({ seed: 7 })
fake.faults.add(Fault.hang({ times: "always" }))

const client = createClient({
  apiKey: fake.apiKey,
  baseUrl: fake.baseUrl,
  fetch: fake.fetch,
  timeouts: { attemptMs: 300, callMs: 1500 }
})

const result = await client.events.list.result({ limit: 1 })
if (!result.ok) {
  console.log(result.error.message)
  console.log(result.error.attempts.length, "attempts")
}
