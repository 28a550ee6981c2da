import { assert, describe, it } from "@effect/vitest"
import { clientOn, emptyPage, fast, json, upsertion } from "../test/AnsweredClient.ts"
import { CallAborted, UpsertCredentialsError } from "./index.ts"

describe("a call as a value", () => {
  it("has what is known about its attempts and its answer", async () => {
    const { client } = clientOn(
      (_request, count) =>
        count === 1
          ? new Response(null, { status: 503 })
          : json({ ...emptyPage, extra: 1 }, { headers: { "x-request-id": "r-2", "ratelimit-remaining": "9" } }),
      fast
    )
    const result = await client.events.list.result()
    assert.isTrue(result.ok)
    assert.deepStrictEqual(
      result.call.attempts.map(({ outcome }) => outcome),
      ["ServerFailure", "success"]
    )
    if (result.ok) {
      assert.strictEqual(result.call.requestId, "r-2")
      assert.strictEqual(result.call.headers["ratelimit-remaining"], "9")
      assert.strictEqual(result.call.rateLimit?.remaining, 9)
      assert.deepStrictEqual(result.call.drift, [{ kind: "unknown-field", path: "extra" }])
      assert.deepStrictEqual(result.value.data, [])
    }
    assert.strictEqual(client.rateLimit?.remaining, 9)
  })

  it("has its failure or its abort", async () => {
    const controller = new AbortController()
    const { client } = clientOn(
      () => new Response(null, { status: 503, headers: { "x-node": "7", "x-request-id": "r-1" } }),
      { retry: false }
    )
    const failed = await client.credentials.upsert.result("user-7", upsertion, { idempotencyKey: "mine" })
    assert.isFalse(failed.ok)
    if (!failed.ok) {
      assert.instanceOf(failed.error, UpsertCredentialsError)
      const { attempts, headers, ...facts } = failed.call
      assert.deepStrictEqual(facts, {
        operation: "credentials.upsert",
        status: 503,
        idempotencyKey: "mine",
        requestId: "r-1"
      })
      assert.strictEqual(headers?.["x-node"], "7")
      assert.deepStrictEqual(attempts, failed.error.attempts)
      assert.lengthOf(attempts, 1)
    }
    controller.abort("enough")
    const aborted = await client.events.list.result({}, { signal: controller.signal })
    assert.isTrue(!aborted.ok && aborted.error instanceof CallAborted && aborted.error.cause === "enough")
  })

  it("has what its own last answer says about the rate limit, and not what another one said", async () => {
    const { client } = clientOn((_request, count) =>
      count === 1
        ? json(emptyPage, { headers: { "ratelimit-limit": "7" } })
        : new Response(null, { status: 404, headers: count === 3 ? { "ratelimit-limit": "9" } : {} })
    )
    await client.events.list()
    assert.isUndefined((await client.events.list.result()).call.rateLimit)
    assert.strictEqual((await client.events.list.result()).call.rateLimit?.limit, 9)
  })
})
