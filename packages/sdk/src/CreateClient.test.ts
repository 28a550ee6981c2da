import { assert, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import {
  type ClientOptions,
  ClientClosed,
  ClientOptionError,
  createClient,
  createCredentialsClient,
  createEventsClient,
  createMessagesClient
} from "./index.ts"

const everywhere = ["close", "rateLimit", "with"]

describe("a client of one resource", () => {
  const makers = [
    ["credentials", createCredentialsClient],
    ["events", createEventsClient],
    ["messages", createMessagesClient]
  ] as const

  for (const [resource, make] of makers) {
    it(`has ${resource} as the whole client has them, and nothing else`, async () => {
      const fake = createFake()
      const options: ClientOptions = { apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch }
      await using whole = createClient(options)
      await using client = make(options)
      assert.deepStrictEqual(Object.keys(client).sort(), [...everywhere, resource].sort())
      const members: object = Object.fromEntries(Object.entries(client))[resource]
      assert.deepStrictEqual(Object.keys(members), Object.keys(whole[resource]))
    })

    it(`with ${resource} checks its options`, () => {
      assert.throws(() => make({ apiKey: "", baseUrl: "http://service.test" }), ClientOptionError, "apiKey: ")
    })
  }

  it("lists and walks, and is closed", async () => {
    const fake = createFake()
    const client = createEventsClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
    const page = await client.events.list({ limit: 5 })
    assert.lengthOf(page.data, 5)
    const seen: Array<string | undefined> = []
    for await (const { _id } of client.events.list({ limit: 2 })) if (seen.push(_id) === 5) break
    assert.deepStrictEqual(
      seen,
      page.data.map(({ _id }) => _id)
    )
    await client.close()
    const closed = await client.events.list.result()
    assert.isTrue(!closed.ok && closed.error instanceof ClientClosed)
  })
})
