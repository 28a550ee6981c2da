// A program with nothing but the SDK: a page, a walk, a write, an error, and the value of a failed call.
import { createClient, isSignalboxError, type EventPage, type Subscriber } from "@signalbox/sdk"

const page: EventPage = { hasMore: false, data: [], page: 0, pageSize: 10 }
const subscriber: Subscriber = {
  subscriberId: "ada",
  _organizationId: "organization",
  _environmentId: "environment",
  deleted: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z"
}

const respond: typeof globalThis.fetch = async (_, init) =>
  new Response(JSON.stringify(init?.method === "PATCH" ? subscriber : page), { status: 200 })

await using client = createClient({ apiKey: "key", baseUrl: "https://api.example.com", fetch: respond })

const listed = await client.events.list({ limit: 5, channels: "email" })
let walked = 0
for await (const event of client.events.list()) walked += event.transactionId.length
const upserted = await client.credentials.upsert("ada", { providerId: "fcm", credentials: { deviceTokens: ["t"] } })
const refused = await client.events.list({ limit: 51 }).catch((error: unknown) => error)
const result = await client.messages.markAs.result("", { messageId: "m", markAs: "read" })

console.log(
  JSON.stringify({
    listed: listed.pageSize,
    walked,
    upserted: upserted.subscriberId,
    refused: isSignalboxError(refused) && refused.message,
    result: result.ok ? "ok" : result.error._tag
  })
)
