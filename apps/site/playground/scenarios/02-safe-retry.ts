// The fix: the client retries when that is safe
import { type Client, createClient } from "@signalbox/sdk"
import { createFake, expectFake } from "@signalbox/test-harness"

/** The client retries by itself, and only what cannot be applied twice. */
const registerPhone = async (client: Client, subscriberId: string, token: string): Promise<boolean> => {
  const result = await client.credentials.upsert.result(subscriberId, {
    providerId: "fcm",
    credentials: { deviceTokens: [token] }
  })
  return result.ok
}

const fake = createFake({ data: "empty" })
fake.addSubscriber({ subscriberId: "ana" })
fake.addIntegration({ providerId: "fcm" })
const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })

await registerPhone(client, "ana", "token-of-a-phone")

expectFake(fake).appliedOnce({ operation: "credentials.upsert" })
console.log("The token is stored once.")
