// A value that the client does not know
import { createClient } from "@signalbox/sdk"
import { createFake, Fault } from "@signalbox/test-harness"

const fake = createFake({ seed: 7 })
fake.faults.add(Fault.drift({ kind: "unknown-enum-value" }))

const client = createClient({
  apiKey: fake.apiKey,
  baseUrl: fake.baseUrl,
  fetch: fake.fetch,
  onDrift: (report) => console.warn("drift:", report)
})

// The page arrives in full: an unknown value never discards a record.
const { data } = await client.events.list({ limit: 5 })
console.log(data.length, "events")
