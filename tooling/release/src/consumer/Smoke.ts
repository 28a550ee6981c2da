// Runs wherever `fetch` does: no Node module, no test library. It makes a read, a write and an error.
import { createClient, isSignalboxError } from "@signalbox/sdk"
import { createFake } from "@signalbox/test-harness"

const fake = createFake({ data: "demo", seed: 1 })
const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })

const page = await client.events.list({ limit: 5 })
const subscriberId = page.data[0]?.subscriber?.subscriberId ?? ""
const marked = await client.messages.markAs(subscriberId, { messageId: ["0".repeat(24)], markAs: "read" })
const refused = await client.events.list({ limit: 51 }).then(
  () => "accepted",
  (error: unknown) => (isSignalboxError(error) ? error.reason._tag : "not ours")
)
await client.close()

console.log(JSON.stringify({ listed: page.data.length, marked: marked.length, refused }))
