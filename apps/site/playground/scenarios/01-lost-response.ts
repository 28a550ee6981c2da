// A lost response: is the token stored twice?
import { type Client, createClient } from "@signalbox/sdk"
import { createFake, expectFake } from "@signalbox/test-harness"

/** Networks fail, so this tries twice. */
const registerPhone = async (client: Client, subscriberId: string, token: string): Promise<boolean> => {
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    const result = await client.credentials.upsert.result(subscriberId, {
      providerId: "fcm",
      credentials: { deviceTokens: [token] }
    })
    if (result.ok) return true
  }
  return false
}

const fake = createFake({ data: "empty" })
fake.addSubscriber({ subscriberId: "ana" })
fake.addIntegration({ providerId: "fcm" })
const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })

await registerPhone(client, "ana", "token-of-a-phone")

expectFake(fake).appliedOnce({ operation: "credentials.upsert" })
console.log("The token is stored once.")
