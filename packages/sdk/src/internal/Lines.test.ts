import { assert, describe, it, vi } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { createCredentialsClient } from "../index.ts"

describe("the lines of debug", () => {
  it("include the warnings, which are written nowhere else", async () => {
    const fake = createFake({ data: "demo" })
    const { subscriberId } = fake.addSubscriber({ subscriberId: "user-7" })
    const console = vi.spyOn(globalThis.console, "log")
    const lines: Array<string> = []
    for (const debug of [(line: string) => void lines.push(line), undefined]) {
      await using client = createCredentialsClient({
        apiKey: fake.apiKey,
        baseUrl: fake.baseUrl,
        fetch: fake.fetch,
        ...(debug === undefined ? {} : { debug })
      })
      const unusual: object = { providerId: "slack", credentials: { channel: "roof" } }
      // JavaScript callers can pass what the types forbid.
      await client.credentials.upsert.result(subscriberId, unusual as { providerId: "slack"; credentials: {} })
    }
    assert.strictEqual(lines[0], "warn credentials.upsert: channel of provider slack is unusual; sent unchanged")
    assert.strictEqual(console.mock.calls.length, 0)
    console.mockRestore()
  })
})
