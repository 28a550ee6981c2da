import { assert, describe, it } from "@effect/vitest"
import { clientOn, json, rejection } from "../test/AnsweredClient.ts"
import { isSignalboxError, MarkManyMessagesAsError } from "./index.ts"

describe("markManyAs", () => {
  const ids = Array.from({ length: 250 }, (_, at) => `m${at}`)

  it("marks in calls of 100 and reports which messages no response contained", async () => {
    const { client, sent } = clientOn(() => json([], { status: 201 }))
    const { messages, notReturned } = await client.messages.markManyAs("user-7", ids, "read")
    assert.deepStrictEqual(messages, [])
    assert.deepStrictEqual(notReturned, ids)
    assert.lengthOf(sent, 3)
  })

  it("reports the outcome of every message after an abort", async () => {
    const controller = new AbortController()
    const { client } = clientOn((request, count) => {
      if (count === 1) return json([], { status: 201 })
      return new Promise((_resolve, reject) => {
        request.signal.addEventListener("abort", () => reject(request.signal.reason))
        controller.abort("enough")
      })
    })
    const result = await client.messages.markManyAs.result("user-7", ids, "read", {
      concurrency: 1,
      signal: controller.signal
    })
    assert.isFalse(result.ok)
    assert.strictEqual(!result.ok && result.error._tag, "CallAborted")
    assert.deepStrictEqual(result.report, {
      done: ids.slice(0, 100),
      failed: ids.slice(100, 200),
      notTried: ids.slice(200)
    })
  })

  it("marks the messages of a set, too", async () => {
    const { client, sent } = clientOn(() => json([], { status: 201 }))
    const { report } = await client.messages.markManyAs.result("user-7", new Set(["m1", "m2"]), "read")
    assert.deepStrictEqual(report.done, ["m1", "m2"])
    assert.deepStrictEqual(await sent[0]?.json(), { messageId: ["m1", "m2"], markAs: "read" })
  })

  it("reports every message once as not tried when its signal was aborted before", async () => {
    const { client, sent } = clientOn(() => json([], { status: 201 }))
    const signal = AbortSignal.abort("enough")
    const result = await client.messages.markManyAs.result("user-7", ["m1", "m2", "m1"], "read", { signal })
    assert.strictEqual(!result.ok && result.error._tag, "CallAborted")
    assert.deepStrictEqual(result.report, { done: [], failed: [], notTried: ["m1", "m2"] })
    assert.strictEqual(await rejection(client.messages.markManyAs("user-7", "m1", "read", { signal })), "enough")
    assert.lengthOf(sent, 0)
  })

  it("makes as many concurrent calls as it may", async () => {
    for (const [options, expected] of [
      [{}, 4],
      [{ concurrency: 2 }, 2]
    ] as const) {
      let inProgress = 0
      let most = 0
      const { client } = clientOn(async () => {
        most = Math.max(most, ++inProgress)
        await new Promise((resolve) => setImmediate(resolve))
        inProgress--
        return json([], { status: 201 })
      })
      const many = Array.from({ length: 900 }, (_, at) => `m${at}`)
      await client.messages.markManyAs("user-7", many, "read", options)
      const { ok } = await client.messages.markManyAs.result("user-7", many, "read", options)
      assert.deepStrictEqual([ok, most], [true, expected])
    }
  })

  const wrongIds: ReadonlyArray<readonly [string, unknown, string, ReadonlyArray<string>]> = [
    ["nothing", undefined, "messageId[0]", []],
    ["a number", 7, "messageId[0]", []],
    ["a list with a number", [...ids, 7], "messageId[250]", ids]
  ]
  for (const [name, given, path, validIds] of wrongIds) {
    it(`refuses ${name} for identifiers before anything is sent`, async () => {
      const { client, sent } = clientOn(() => json([], { status: 201 }))
      const result = await client.messages.markManyAs.result("user-7", given as ReadonlyArray<string>, "read")
      assert.isFalse(result.ok)
      assert.include(
        !result.ok && result.error.message,
        `${path}: Expected string. Correct the input. Nothing was sent.`
      )
      assert.deepStrictEqual(result.report, { done: [], failed: validIds, notTried: [] })
      assert.lengthOf(sent, 0)
    })
  }

  it("treats a single string as one identifier, not as a list of its letters", async () => {
    const { client, sent } = clientOn(() => json([], { status: 201 }))
    const { notReturned } = await client.messages.markManyAs("user-7", "abc", "read")
    assert.deepStrictEqual(notReturned, ["abc"])
    assert.lengthOf(sent, 1)
  })

  it("fails with an error like that of any other call, so that generic error handling works", async () => {
    const { client } = clientOn(
      (_request, count) => (count === 1 ? json([], { status: 201 }) : new Response(null, { status: 403 })),
      { retry: false }
    )
    const error = await rejection(client.messages.markManyAs("user-7", ids, "read", { concurrency: 1 }))
    assert.isTrue(isSignalboxError(error))
    if (!isSignalboxError(error)) return
    const { attempts, mayHaveBeenApplied, operation, reason, status } = error
    assert.deepStrictEqual(
      { operation, status, mayHaveBeenApplied, reason: reason._tag, attempts: attempts.length },
      { operation: "messages.markAs", status: 403, mayHaveBeenApplied: false, reason: "Forbidden", attempts: 1 }
    )
    assert.isTrue(error.message.endsWith(error.advice))
    assert.instanceOf(error, MarkManyMessagesAsError)
    assert.strictEqual(error.errors[0].idempotencyKey, error.idempotencyKey)
  })
})
