import { assert, describe, it } from "@effect/vitest"
import { rejection } from "../test/AnsweredClient.ts"
import { createClient, isSignalboxError } from "./index.ts"

/** A client that sends with `replacement` instead of `fetch`. */
const clientOver = (replacement: (...given: Parameters<typeof fetch>) => unknown) =>
  createClient({
    apiKey: "secret-key-of-the-test",
    baseUrl: "http://service.test",
    // JavaScript callers can pass what the types forbid.
    fetch: replacement as typeof fetch,
    retry: false,
    timeouts: { attemptMs: 20 }
  })

const mark = { messageId: "m1", markAs: "read" } as const

const headers = new Headers({ "content-type": "application/json" })

describe("a replacement of fetch", () => {
  const read = async () => {
    const response = new Response("[]", { status: 201 })
    await response.text()
    return response
  }
  const failing: ReadonlyArray<readonly [string, () => unknown, string]> = [
    [
      "throws",
      () => {
        throw new Error("no network for secret-key-of-the-test")
      },
      "connection failed: no network for <redacted>. "
    ],
    ["rejects with nothing", () => Promise.reject(), "connection failed. "],
    ["gives nothing", () => undefined, "connection failed: fetch gave no Response. Correct `fetch`."],
    ["resolves to nothing", async () => undefined, "connection failed: fetch gave no Response. Correct `fetch`."],
    ["resolves to a number", async () => 201, "connection failed: fetch gave no Response. Correct `fetch`."],
    [
      "resolves to an invalid status",
      async () => ({ status: "201", headers, text: async () => "[]" }),
      "connection failed: fetch gave no Response. Correct `fetch`."
    ],
    [
      "returns a body that was read already",
      read,
      "201 with a body that cannot be read: Expected a complete body, the connection failed: Body is unusable: Body has already been read. "
    ],
    [
      "returns a body that breaks off",
      () => new Response(new ReadableStream({ pull: (controller) => controller.error(new Error("cut")) })),
      "200 with a body that cannot be read: Expected a complete body, the connection failed: cut. "
    ],
    ["never settles, whatever the signal says", () => new Promise(() => {}), "no complete response within 20 ms."],
    [
      "returns a body that never ends",
      () => new Response(new ReadableStream({ pull: () => new Promise(() => {}) })),
      "no complete response within 20 ms."
    ],
    [
      "returns a failure whose text() returns nothing",
      () => ({ status: 400, headers, text: () => undefined }),
      "400 Bad Request."
    ]
  ]
  for (const [name, replacement, said] of failing) {
    it(`that ${name} is the failure of the call, and claims nothing about the work`, async () => {
      const client = clientOver(replacement)
      const error = await rejection(client.messages.markAs("user-7", mark))
      assert.isTrue(isSignalboxError(error))
      assert.include(String(error), `messages.markAs failed: ${said}`)
      assert.notInclude(String(error), "nothing was sent")
      await client.close()
    })
  }

  const working: ReadonlyArray<readonly [string, unknown]> = [
    ["a Response itself", new Response("[]", { status: 201 })],
    ["an object with the three members that are read", { status: 201, headers: {}, text: () => "[]" }],
    ["headers as a Map", { status: 201, headers: new Map([["Retry-After", 7]]), text: async () => "[]" }]
  ]
  for (const [name, answer] of working) {
    it(`may give ${name}`, async () => {
      const client = clientOver(() => answer)
      assert.deepStrictEqual(await client.messages.markAs("user-7", mark), [])
      await client.close()
    })
  }
})
