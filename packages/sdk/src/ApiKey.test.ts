import { assert, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { clientOn, emptyPage, fast, json } from "../test/AnsweredClient.ts"
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
  const vaultError = new Error("vault down, token abc123")
  const failing: ReadonlyArray<readonly [string, ClientOptions["apiKey"]]> = [
    [
      "throws",
      () => {
        throw vaultError
      }
    ],
    [
      "rejects",
      async () => {
        throw vaultError
      }
    ]
  ]
  for (const [how, apiKey] of failing) {
    it(`and ${how} leaves its error as the cause, out of the message and the JSON`, async () => {
      const lines: Array<string> = []
      const { client, fake } = start(apiKey, { debug: (line) => lines.push(line) })
      const error = await failureOf(client.messages.markAs("user-7", mark))
      assert.strictEqual(error.cause, vaultError)
      assert.strictEqual(
        error.message,
        "messages.markAs failed: apiKey: its function failed; see the cause. Correct the input. Nothing was sent."
      )
      assert.notInclude(JSON.stringify([error, error.reason, lines, error.stack]), "abc123")
      assert.lengthOf(fake.journal.entries(), 0)
      await client.close()
    })
  }

  it("and gives something else is named, and has no cause", async () => {
    const { client } = start((() => Promise.resolve(7)) as never)
    const error = await failureOf(client.messages.markAs("user-7", mark))
    assert.include(error.message, "apiKey: the function must return a string. ")
    assert.isUndefined(error.cause)
    await client.close()
  })

  it("and never does ends with the call, of which nothing was sent", async () => {
    const { client, fake } = start(() => new Promise(() => {}), { timeouts: { callMs: 20 } })
    const error = await failureOf(client.messages.markAs("user-7", mark))
    assert.strictEqual(
      error.message,
      "messages.markAs failed: no API key within 20 ms. Allow more time. Nothing was sent."
    )
    assert.deepStrictEqual(error.attempts, [])
    assert.lengthOf(fake.journal.entries(), 0)
    await client.close()
  })

  it("is asked once for each call, also across retries", async () => {
    let asked = 0
    const { client, sent } = clientOn(
      (_request, count) => (count === 1 ? new Response(null, { status: 503 }) : json(emptyPage)),
      { ...fast, apiKey: async () => `key-${++asked}` }
    )
    await client.events.list()
    await client.events.list()
    assert.deepStrictEqual(
      sent.map(({ headers }) => headers.get("authorization")),
      ["ApiKey key-1", "ApiKey key-1", "ApiKey key-2"]
    )
  })
})
