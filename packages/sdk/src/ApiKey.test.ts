import { assert, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { type ClientOptions, createClient, MarkMessagesAsError } from "./index.ts"

const start = (apiKey: ClientOptions["apiKey"], options: Partial<ClientOptions> = {}) => {
  const fake = createFake()
  const client = createClient({ baseUrl: fake.baseUrl, fetch: fake.fetch, ...options, apiKey })
  return { fake, client }
}

const mark = { messageId: "65f0a1b2c3d4e5f6a7b8c9d0", markAs: "read" } as const

const failureOf = async (call: PromiseLike<unknown>): Promise<MarkMessagesAsError> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason
  )
  assert.instanceOf(error, MarkMessagesAsError)
  return error
}

describe("a function that gives the key", () => {
  it("and never does ends with the call, of which nothing was sent", async () => {
    const { client, fake } = start(() => new Promise(() => {}), { timeouts: { call: 20 } })
    const error = await failureOf(client.messages.markAs("user-7", mark))
    assert.strictEqual(
      error.message,
      "messages.markAs failed: no API key within 20 ms. Nothing was sent; allow more time."
    )
    assert.deepStrictEqual(error.attempts, [])
    assert.lengthOf(fake.journal.entries(), 0)
    await client.close()
  })
})
