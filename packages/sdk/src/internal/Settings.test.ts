import { assert, describe, it } from "@effect/vitest"
import { clientOn, emptyPage, fast, json, rejection } from "../../test/AnsweredClient.ts"
import type { CallOptions, ClientOptions } from "../index.ts"

const keyOf = async (options: Partial<ClientOptions>): Promise<string | null | undefined> => {
  const { client, sent } = clientOn(() => json(emptyPage), options)
  await client.events.list()
  return sent[0]?.headers.get("idempotency-key")
}

const tokens = { providerId: "fcm", credentials: { deviceTokens: ["a-device-token"] } } as const

describe("what the options of a client are for its calls", () => {
  it("keys: a new one for each call, one that follows from the call, or none", async () => {
    assert.notStrictEqual(await keyOf({}), await keyOf({ idempotency: "random" }))
    const derived = (generation: number) => keyOf({ idempotency: { derived: { scope: "job-7", generation } } })
    assert.match((await derived(1)) ?? "", /^[0-9a-f]{64}$/u)
    assert.strictEqual(await derived(1), await derived(1))
    assert.notStrictEqual(await derived(1), await derived(2))
    assert.isNull(await keyOf({ idempotency: "off" }))
  })
  it("retries of what appends only where the service honours keys", async () => {
    const requests = async (options: Partial<ClientOptions>): Promise<number> => {
      const { client, sent } = clientOn(() => json({}, { status: 503 }), { ...fast, ...options })
      await rejection(client.credentials.upsert("user-7", tokens))
      return sent.length
    }
    assert.strictEqual(await requests({}), 1)
    assert.strictEqual(await requests({ idempotency: { serviceHonoursKeys: true } }), 3)
    assert.strictEqual(await requests({ idempotency: { serviceHonoursKeys: false } }), 1)
    const derived = { scope: "job-7" }
    assert.strictEqual(await requests({ idempotency: { derived, serviceHonoursKeys: true } }), 3)
    assert.strictEqual(await requests({ idempotency: { derived } }), 1)
  })
  it("a key of one call does not change whether the service honours keys", async () => {
    const idempotency = { serviceHonoursKeys: true }
    const { client, sent } = clientOn(() => json({}, { status: 503 }), { ...fast, idempotency })
    await rejection(client.credentials.upsert("user-7", tokens, { idempotencyKey: "mine" }))
    assert.deepStrictEqual(
      sent.map(({ headers }) => headers.get("idempotency-key")),
      ["mine", "mine", "mine"]
    )
    await rejection(client.credentials.upsert("user-7", tokens, { idempotencyKey: "mine", idempotency: "random" }))
    assert.lengthOf(sent, 4)
  })
  it("time limits: those of a call apply to it, and the client's where it has none", async () => {
    const { client } = clientOn(() => new Promise(() => {}), { timeouts: { attemptMs: 21 }, retry: false })
    const messageWith = async (options: CallOptions): Promise<string> => {
      const result = await client.events.list.result({}, options)
      return result.ok ? "" : result.error.message
    }
    assert.include(await messageWith({}), "no complete response within 21 ms")
    assert.include(await messageWith({ timeouts: { attemptMs: 17 } }), "no complete response within 17 ms")
    assert.include(await messageWith({ timeouts: { attemptMs: undefined } }), "no complete response within 21 ms")
    assert.include(await messageWith({ timeouts: undefined }), "no complete response within 21 ms")
    const ofCall = await messageWith({ timeouts: { attemptMs: Infinity, callMs: 43 } })
    assert.include(ofCall, "43 ms")
  })
  it("reading: tolerant unless it is strict", async () => {
    const drifted = () => json({ ...emptyPage, data: [{ _id: 7 }] })
    await clientOn(drifted).client.events.list()
    await clientOn(drifted, { response: "tolerant" }).client.events.list()
    const error = await rejection(clientOn(drifted, { response: "strict" }).client.events.list())
    assert.deepInclude(error, { operation: "events.list", mayHaveBeenApplied: false })
  })
  it("holding back while no request is left, unless it is switched off", async () => {
    const nothingLeft = () => json(emptyPage, { headers: { "ratelimit-remaining": "0", "ratelimit-reset": "3600" } })
    const requests = async (options: Partial<ClientOptions>): Promise<number> => {
      const { client, sent } = clientOn(nothingLeft, options)
      await client.events.list()
      await client.events.list().catch(() => undefined)
      return sent.length
    }
    assert.strictEqual(await requests({}), 1)
    assert.strictEqual(await requests({ throttle: true }), 1)
    assert.strictEqual(await requests({ throttle: false }), 2)
  })
})
