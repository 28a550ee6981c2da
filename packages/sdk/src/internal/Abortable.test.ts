import { assert, describe, it } from "@effect/vitest"
import { getEventListeners } from "node:events"
import { createFake } from "@signalbox/test-harness"
import { createClient } from "../index.ts"
import { abortable } from "./Abortable.ts"

describe("abortable", () => {
  it("does not begin after the signal was aborted", async () => {
    let begun = false
    const begin = () => {
      begun = true
      return Promise.resolve()
    }
    const reason = await abortable(begin, AbortSignal.abort("late")).catch((error: unknown) => error)
    assert.strictEqual(reason, "late")
    assert.isFalse(begun)
  })

  it("leaves no listener behind, whether the promise resolves or rejects", async () => {
    const { signal } = new AbortController()
    await abortable(() => Promise.resolve(1), signal)
    await abortable(() => Promise.reject(new Error("no")), signal).catch(() => undefined)
    assert.lengthOf(getEventListeners(signal, "abort"), 0)
  })

  it("holds for 10,000 calls of a client on one signal", async () => {
    const fake = createFake({ data: "empty" })
    const { signal } = new AbortController()
    await using client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
    for (let call = 0; call < 10_000; call += 100) {
      await Promise.all(Array.from({ length: 100 }, () => client.events.list({}, { signal })))
    }
    assert.lengthOf(getEventListeners(signal, "abort"), 0)
  })
})
