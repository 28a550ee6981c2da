import { describe, expect, it } from "@effect/vitest"
import { createFake, Fault, manualClock } from "../index.ts"
import { sourceLanguages, testSource } from "./TestSource.ts"

const scene = async () => {
  const fake = createFake({ data: "empty", clock: manualClock("2026-05-01T08:00:00Z"), seed: 3 })
  for (const subscriberId of ["ana", "bo"])
    fake.addSubscriber({ subscriberId, firstName: "A", email: "a@example.test" })
  fake.addIntegration({ providerId: "fcm" })
  const messages = [1, 2].map(() => fake.addMessage({ subscriberId: "ana" }))
  const send = (path: string, method = "GET", body?: unknown) =>
    fake
      .fetch(fake.baseUrl + path, {
        method,
        headers: { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json", "user-agent": "agent" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
      .catch(() => undefined)
  await send("/v1/notifications?subscriberIds=bo&limit=5")
  const credentials = { deviceTokens: ["token-of-a-phone"] }
  await send("/v1/subscribers/ana/credentials", "PATCH", { providerId: "fcm", credentials })
  await send("/v1/subscribers/ana/messages/mark-as", "POST", { messageId: messages[1]?.id, markAs: "read" })
  fake.setSwitches({ envelope: "data" })
  const once = fake.faults.add(Fault.reset())
  fake.faults.add(Fault.status(503, { operation: "messages.markAs" }))
  await send("/v1/notifications")
  once[Symbol.dispose]()
  const ids = messages.map(({ id }) => id)
  await send("/v1/subscribers/ana/messages/mark-as", "POST", { messageId: ids, markAs: "seen" })
  return fake
}

describe("the test for a request", () => {
  it("has the records, switches and faults that the request met, and its outcome", async () => {
    const fake = await scene()
    const sources = sourceLanguages.flatMap((language) =>
      fake.journal.entries().map((entry) => testSource(fake, entry, language))
    )
    expect(sources).toHaveLength(15)
    await expect(sources.join("\n")).toMatchFileSnapshot("./sources.txt")
  })

  it("has the preset and the vendor of the environment, and reads a body that is cut", async () => {
    const fake = createFake({ data: "empty", preset: "observed", vendor: "acme", switches: { envelope: "bare" } })
    fake.faults.add(Fault.cutBody({ afterBytes: 1, failure: "reset" }))
    const headers = { authorization: `ApiKey ${fake.apiKey}` }
    const response = await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers })
    await expect(response.text()).rejects.toThrow()
    const [entry] = fake.journal.entries()
    const source = entry && testSource(fake, entry, "curl")
    expect(source).toContain(`-d '{"data":"empty","vendor":"acme","preset":"observed","switches":{"envelope":"bare"}}'`)
    expect(source).toMatch(/^# GET .v1.notifications gets no complete response$/mu)
  })

  it("is refused where the journal does not keep the body", async () => {
    const fake = createFake({ data: "empty" })
    await fake.fetch(`${fake.baseUrl}/v1/subscribers/ana/credentials`, {
      method: "PATCH",
      headers: { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ providerId: "fcm", credentials: { title: "t".repeat(70_000) } })
    })
    const [entry] = fake.journal.entries()
    expect(() => entry && testSource(fake, entry)).toThrow(
      new RangeError("request: the journal does not keep the body of request 1 (too-large)")
    )
  })
})
