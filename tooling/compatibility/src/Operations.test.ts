import { assert, describe, it } from "@effect/vitest"
import type { Novu } from "@novu/api"
import { connect, surfaces } from "./NovuClient.ts"

type Filter = Parameters<Novu["notifications"]["list"]>[0]

const hour = 3_600_000

const messageId = (number: number) => `64${String(number).padStart(22, "0")}`

describe.each(surfaces)("@novu/api over %s", (surface) => {
  it("appends device tokens without doubling them, under its own names", async () => {
    await using connected = await connect(surface)
    const { fake, novu } = connected
    fake.addSubscriber({ subscriberId: "ana", email: "ana@example.test" })
    const integration = fake.addIntegration({ providerId: "fcm" })
    const append = (deviceTokens: Array<string>) =>
      novu.subscribers.credentials.append({ providerId: "fcm", credentials: { deviceTokens } }, "ana")
    await append(["phone"])
    const { result } = await append(["watch", "phone"])
    assert.strictEqual(result.subscriberId, "ana")
    assert.strictEqual(result.email, "ana@example.test")
    const [channel] = result.channels ?? []
    assert.strictEqual(channel?.providerId, "fcm")
    assert.strictEqual(channel?.integrationId, integration.id)
    assert.deepStrictEqual(channel?.credentials.deviceTokens, ["phone", "watch"])
  })

  it("names its vendor's providers with the vendor's prefix, while the fake keeps the prefix of the document", async () => {
    await using connected = await connect(surface)
    const { fake, novu } = connected
    fake.addSubscriber({ subscriberId: "ana" })
    fake.addIntegration({ providerId: "service-slack" })
    const { result } = await novu.subscribers.credentials.append(
      { providerId: "novu-slack", credentials: { webhookUrl: "https://chat.test/1" } },
      "ana"
    )
    assert.deepStrictEqual(
      result.channels?.map(({ providerId }) => providerId),
      ["novu-slack"]
    )
    const [entry] = fake.journal.entries()
    assert.deepNestedInclude(entry, { operation: "credentials.upsert", "outcome.status": 200 })
  })

  it("marks one message or several, and gets them back", async () => {
    await using connected = await connect(surface)
    const { fake, novu } = connected
    for (const number of [1, 2, 3]) fake.addMessage({ id: messageId(number), subscriberId: "ana", cta: {} })
    const one = await novu.subscribers.messages.markAllAs({ messageId: messageId(1), markAs: "read" }, "ana")
    assert.deepStrictEqual(
      one.result.map(({ id, read, seen }) => ({ id, read, seen })),
      [{ id: messageId(1), read: true, seen: true }]
    )
    const several = await novu.subscribers.messages.markAllAs(
      { messageId: [messageId(2), messageId(3), messageId(9)], markAs: "seen" },
      "ana"
    )
    assert.deepStrictEqual(
      several.result.map(({ id, read, seen }) => ({ id, read, seen })),
      [
        { id: messageId(2), read: false, seen: true },
        { id: messageId(3), read: false, seen: true }
      ]
    )
  })

  it("marks messages that were added or triggered without a call to action", async () => {
    await using connected = await connect(surface)
    const { fake, novu } = connected
    fake.addWorkflow({ identifier: "welcome", steps: [{ type: "in_app" }] })
    fake.addMessage({ subscriberId: "cy" })
    fake.trigger({ workflow: "welcome", to: "cy" })
    const ids = fake
      .state()
      .messages.filter(({ subscriberId }) => subscriberId === "cy")
      .map(({ id }) => id)
    const { result } = await novu.subscribers.messages.markAllAs({ messageId: ids, markAs: "read" }, "cy")
    assert.sameMembers(
      result.map(({ id }) => id),
      ids
    )
  })

  describe("lists events by", () => {
    const filters: ReadonlyArray<readonly [name: string, filter: Filter, found: Array<string | undefined>]> = [
      ["nothing", {}, ["ben", "ana"]],
      ["channels", { channels: ["email"] }, ["ben"]],
      ["several channels", { channels: ["email", "sms"] }, ["ben", "ana"]],
      ["templates", { templates: [messageId(50)] }, ["ana"]],
      ["emails", { emails: ["ben@example.test"] }, ["ben"]],
      ["several e-mails", { emails: ["ben@example.test", "ana@example.test"] }, ["ben", "ana"]],
      ["search", { search: "BEN@" }, ["ben"]],
      ["subscriberIds", { subscriberIds: ["ana"] }, ["ana"]],
      ["severity", { severity: ["high"] }, ["ana"]],
      ["severity none", { severity: ["none"] }, ["ben"]],
      ["transactionId", { transactionId: "t-ana" }, ["ana"]],
      ["topicKey", { topicKey: "news" }, ["ben"]],
      ["contextKeys", { contextKeys: ["tenant:b", "region:eu"] }, ["ben"]],
      ["no context", { contextKeys: [""] }, ["ana"]],
      ["after", { after: new Date(Date.now() - 1.5 * hour).toISOString() }, ["ben"]],
      ["before", { before: new Date(Date.now() - 1.5 * hour).toISOString() }, ["ana"]],
      ["limit", { limit: 1 }, ["ben"]],
      ["page", { limit: 1, page: 1 }, ["ana"]],
      ["somebody unknown", { subscriberIds: ["nobody"] }, []]
    ]

    it.each(filters)("%s", async (_, filter, found) => {
      await using connected = await connect(surface)
      const { fake, novu } = connected
      fake.addSubscriber({ subscriberId: "ana", email: "ana@example.test" })
      fake.addSubscriber({ subscriberId: "ben", email: "ben@example.test" })
      fake.addWorkflow({ id: messageId(50), identifier: "alarm", steps: [{ type: "sms" }] })
      fake.addWorkflow({ id: messageId(51), identifier: "letter", steps: [{ type: "email" }] })
      fake.addEvent({
        subscriberId: "ana",
        workflow: "alarm",
        createdAt: Date.now() - 2 * hour,
        severity: "high",
        transactionId: "t-ana"
      })
      fake.addEvent({
        subscriberId: "ben",
        workflow: "letter",
        createdAt: Date.now() - hour,
        topics: [{ id: messageId(60), key: "news" }],
        contextKeys: ["region:eu", "tenant:b"]
      })
      const { result } = await novu.notifications.list(filter)
      assert.deepStrictEqual(
        result.data.map(({ subscriber }) => subscriber?.subscriberId),
        found
      )
      assert.strictEqual(result.pageSize, filter.limit ?? 10)
    })

    it("pages, until the service reports that there is no more", async () => {
      await using connected = await connect(surface)
      const { fake, novu } = connected
      fake.addWorkflow({ identifier: "letter", steps: [{ type: "email" }] })
      for (let index = 1; index <= 25; index++) {
        fake.addEvent({ subscriberId: "ana", workflow: "letter", createdAt: Date.now() - index * 1_000 })
      }
      const seen = new Set<string>()
      let page = 0
      for (let more = true; more; page++) {
        const { result } = await novu.notifications.list({ page, limit: 10 })
        for (const { id } of result.data) seen.add(id ?? "")
        more = result.hasMore
      }
      assert.strictEqual(page, 3)
      assert.strictEqual(seen.size, 25)
    })
  })
})
