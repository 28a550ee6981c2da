import { assert, describe, it } from "@effect/vitest"
import { createFake, type PlainEnvironmentOptions } from "../index.ts"

const scene = (switches: PlainEnvironmentOptions["switches"] = {}) => {
  const fake = createFake({ data: "empty", switches })
  fake.addSubscriber({ subscriberId: "ana" })
  const upsert = async (body: object): Promise<unknown> => {
    const response = await fake.fetch(`${fake.baseUrl}/v1/subscribers/ana/credentials`, {
      method: "PATCH",
      headers: { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    return response.json()
  }
  return { fake, upsert }
}

describe("an upsert of credentials", () => {
  it.each([
    [{ deviceTokens: "one-token" }, "deviceTokens must be an array of strings"],
    [{ deviceTokens: [5] }, "deviceTokens must be an array of strings"],
    [{ webhookUrl: ["https://hooks.example.test/x"] }, "webhookUrl must be a string"]
  ])("refuses %j by the name of the field", async (credentials, message) => {
    const { fake, upsert } = scene({ "credentials.innerTypes": "refused" })
    fake.addIntegration({ providerId: "fcm" })
    assert.include(JSON.stringify(await upsert({ providerId: "fcm", credentials })), message)
  })

  it.each(["kept", "cleared"] as const)("with no tokens stores none, where an empty list means %s", async (choice) => {
    const { fake, upsert } = scene({ "credentials.tokensEmpty": choice })
    fake.addIntegration({ providerId: "fcm" })
    await upsert({ providerId: "fcm", credentials: { deviceTokens: [] } })
    assert.deepStrictEqual(fake.state().subscribers[0]?.channels[0]?.credentials, { deviceTokens: [] })
  })

  it.each([
    ["existing", "older"],
    ["newest", "newer"],
    ["oldest", "older"]
  ] as const)("with several integrations and %s, changes the %s one", async (choice, changed) => {
    const { fake, upsert } = scene({ "credentials.severalIntegrations": choice })
    fake.addIntegration({ providerId: "slack", identifier: "older", createdAt: 1000 })
    fake.addIntegration({ providerId: "slack", identifier: "newer", createdAt: 2000 })
    const webhookUrl = "https://hooks.example.test/x"
    await upsert({ providerId: "slack", integrationIdentifier: "older", credentials: { webhookUrl } })
    const stored = await upsert({ providerId: "slack", credentials: { webhookUrl: `${webhookUrl}y` } })
    const entries = (stored as { readonly channels: ReadonlyArray<{ readonly credentials: object }> }).channels
    const isOlder = entries.length === 1
    assert.strictEqual(isOlder ? "older" : "newer", changed)
  })
})
