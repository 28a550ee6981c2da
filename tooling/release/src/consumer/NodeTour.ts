// The client over undici: its own agent, a shared one, and what it knows when a connection fails.
import { isSignalboxError } from "@signalbox/sdk"
import { createClient } from "@signalbox/sdk/node"
import { createFake, Fault } from "@signalbox/test-harness"
import { listen } from "@signalbox/test-harness/server"
import { Agent } from "undici"

const fake = createFake({ seed: 7, events: 25 })
await using server = await listen(fake)
const connection = { apiKey: fake.apiKey, baseUrl: server.url, retry: false } as const
const tokens = { providerId: "fcm", credentials: { deviceTokens: ["token"] } } as const

const client = createClient(connection)
const page = await client.events.list({ limit: 10 })
let all = 0
for await (const event of client.events.list({ limit: 10 })) if (event._id !== "") all += 1
const subscriberId = page.data[0]?.subscriber?.subscriberId ?? ""
const upserted = await client.credentials.upsert(subscriberId, tokens)

fake.faults.add(Fault.reset({ at: "committed" }))
const inTheDark = await client.credentials.upsert(subscriberId, tokens).catch((error: unknown) => error)
await server.down()
const refused = await client.credentials.upsert(subscriberId, tokens).catch((error: unknown) => error)
await server.up()
await client.close()

const dispatcher = new Agent({ connections: 1 })
const pooled = createClient({ ...connection, dispatcher })
const pages = await Promise.all([pooled.events.list({ limit: 1 }), pooled.events.list({ limit: 2 })])
await dispatcher.close()

const knows = (error: unknown) =>
  isSignalboxError(error) && [error.reason._tag, error.mayHaveBeenApplied, error.advice.includes("unknown")]

console.log(
  JSON.stringify({
    page: page.data.length,
    all,
    upserted: upserted.subscriberId === subscriberId,
    inTheDark: knows(inTheDark),
    refused: knows(refused),
    pages: pages.map(({ data }) => data.length)
  })
)
