// A read, a write and an error without a network. A test bundles it and calls it on each platform.
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

const respond: typeof globalThis.fetch = async (_, init) => Response.json(init?.method === "PATCH" ? subscriber : page)

export const run = async () => {
  const client = createClient({ apiKey: "key", baseUrl: "https://api.example.com", fetch: respond })
  const { pageSize } = await client.events.list({ channels: "email" })
  const input = { providerId: "fcm", credentials: { deviceTokens: "token" } } as const
  const { subscriberId } = await client.credentials.upsert("ada", input)
  const refused = await client.events.list({ limit: 51 }).catch((error: unknown) => error)
  await client.close()
  return { pageSize, subscriberId, refused: isSignalboxError(refused) && refused.reason._tag }
}

// Bundlers name exports in different ways.
const runs: Array<typeof run> = Reflect.get(globalThis, "runs") ?? []
Reflect.set(globalThis, "runs", [...runs, run])
