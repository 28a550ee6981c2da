import { assert, describe, it } from "@effect/vitest"
import { rejection } from "../../test/AnsweredClient.ts"
import { createClient } from "../index.ts"

describe("the stack of an error", () => {
  const client = createClient({
    apiKey: "key",
    baseUrl: "http://service.test",
    fetch: async () => new Response(null, { status: 404 })
  })
  const upsertion = { providerId: "slack", credentials: {} } as const
  const calls: ReadonlyArray<readonly [string, () => PromiseLike<unknown>]> = [
    ["a page", () => client.events.list()],
    ["a walk", () => client.events.list()[Symbol.asyncIterator]().next()],
    ["a write", () => client.credentials.upsert("user-7", upsertion)],
    ["many marks", () => client.messages.markManyAs("user-7", ["m1"], "read")],
    [
      "a value",
      () => client.events.list.result().then((result) => Promise.reject(result.ok ? undefined : result.error))
    ]
  ]
  for (const [name, call] of calls) {
    it(`of ${name} starts in the file that made the call`, async () => {
      const error: unknown = await call().then(
        () => undefined,
        (reason: unknown) => reason
      )
      assert.instanceOf(error, Error)
      // The first frame is the caller's: none is of the SDK or of a library inside of it.
      const [first] = error.stack?.split("\n").filter((line) => /^\s+at /u.test(line)) ?? []
      assert.include(first, "CallSite.test.ts")
    })
  }

  it("of what an input throws when it is read is left alone", async () => {
    const own = Object.freeze(new Error("of the input"))
    const { stack } = own
    const input = {
      get messageId(): string {
        throw own
      },
      markAs: "read"
    } as const
    for (const call of [client.messages.markAs("user-7", input), client.messages.markAs.result("user-7", input)]) {
      assert.strictEqual(await rejection(call), own)
    }
    assert.strictEqual(own.stack, stack)
  })
})
