import { operationNames } from "@signalbox/core/Operations"
import { assert, describe, it } from "@effect/vitest"
import { getEventListeners } from "node:events"
import { CallAborted } from "./index.ts"
import { clientOn, emptyPage, json, rejection } from "../test/AnsweredClient.ts"

describe("a client", () => {
  it("has the members that its type has", async () => {
    const groups = new Set(operationNames.map((name) => name.split(".")[0]))
    const { client } = clientOn(() => json(emptyPage))
    const others = ["call", "request", "rateLimit", "with", "close", Symbol.asyncDispose]
    assert.sameMembers(Reflect.ownKeys(client), [...groups, ...others])
  })
})

describe("a call", () => {
  it("rejects at once with the reason of its signal, also while it waits to retry", async () => {
    const controller = new AbortController()
    const { client, sent } = clientOn(() => new Response(null, { status: 503, headers: { "retry-after": "30" } }), {
      onAttempt: () => controller.abort("enough")
    })
    assert.strictEqual(await rejection(client.events.list({}, { signal: controller.signal })), "enough")
    assert.lengthOf(sent, 1)
    assert.strictEqual(await rejection(client.events.list({}, { signal: controller.signal })), "enough")
    assert.lengthOf(sent, 1)
  })

  it("aborts its request when its signal is aborted", async () => {
    const controller = new AbortController()
    const { client, sent } = clientOn(() => {
      controller.abort("enough")
      return new Promise(() => {})
    })
    assert.strictEqual(await rejection(client.events.list({}, { signal: controller.signal })), "enough")
    assert.isTrue(sent[0]?.signal.aborted)
  })

  it("rejects an input of another shape, and names the operation and the fields", async () => {
    const { client, sent } = clientOn(() => json([]))
    // Callers without types.
    const { credentials, messages } = client as unknown as Record<
      string,
      Record<string, (...words: unknown[]) => unknown>
    >
    assert.include(
      String(await rejection(Promise.resolve(messages?.["markAs"]?.("u", ["m1"], "read")))),
      "messages.markAs failed: Expected an object with the fields messageId, markAs. Correct the input."
    )
    assert.include(
      String(await rejection(Promise.resolve(credentials?.["upsert"]?.("u", "fcm", { deviceTokens: ["one"] })))),
      "credentials.upsert failed: Expected an object with the fields providerId, "
    )
    assert.lengthOf(sent, 0)
  })

  it("ends 1,000 calls on one signal with one listener", async () => {
    const controller = new AbortController()
    const { client } = clientOn(() => new Promise(() => {}))
    const calls = Array.from({ length: 1000 }, () => client.events.list.result({}, { signal: controller.signal }))
    assert.lengthOf(getEventListeners(controller.signal, "abort"), 1)
    controller.abort()
    const outcomes = await Promise.all(calls)
    assert.isTrue(outcomes.every((outcome) => !outcome.ok && outcome.error instanceof CallAborted))
    assert.lengthOf(getEventListeners(controller.signal, "abort"), 0)
  })

  it("leaves no listener on its signal, also after 10,000 calls", async () => {
    const { signal } = new AbortController()
    const { client, sent } = clientOn(() => json(emptyPage))
    for (let round = 0; round < 100; round++) {
      await Promise.all(Array.from({ length: 100 }, () => client.events.list({}, { signal })))
    }
    assert.lengthOf(sent, 10_000)
    assert.lengthOf(getEventListeners(signal, "abort"), 0)
  })
})
