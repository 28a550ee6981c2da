import { assert, describe, it } from "@effect/vitest"
import { createFake, Fault } from "@signalbox/test-harness"
import { Worker } from "node:worker_threads"
import { clientOn, json, rejection, upsertion } from "../test/AnsweredClient.ts"
import {
  type CallResult,
  CallAborted,
  ClientClosed,
  createClient,
  isSignalboxError,
  MarkManyMessagesAsError,
  MarkMessagesAsError,
  SignalboxError
} from "./index.ts"

const failureOf = <Failure>(result: CallResult<unknown, Failure>): Failure | CallAborted | ClientClosed => {
  assert(!result.ok)
  return result.error
}

/** The ways of an error to another thread or process, each with the data that arrives. */
const ways: ReadonlyArray<readonly [string, (error: SignalboxError) => unknown]> = [
  ["structuredClone", (error) => structuredClone(SignalboxError.encode(error))],
  ["JSON", (error) => JSON.parse(JSON.stringify(SignalboxError.encode(error)))]
]

describe("an error as data", () => {
  for (const [way, travel] of ways) {
    it(`survives ${way}, with its class, reason, guard and every fact`, async () => {
      const { client } = clientOn(() => json({ message: "no", errors: { channel: ["is unknown"] } }, { status: 422 }))
      const error = failureOf(await client.credentials.upsert.result("user-7", upsertion))
      const copy = SignalboxError.from(travel(error))
      assert.isTrue(isSignalboxError(copy))
      assert.strictEqual(copy?.constructor, error.constructor)
      assert.strictEqual(copy?.reason.constructor, error.reason.constructor)
      assert.deepStrictEqual({ ...copy }, { ...error, reason: copy?.reason })
      assert(copy?.reason._tag === "Rejected")
      assert.deepStrictEqual(copy.reason.fields, [{ path: "channel", rule: "is unknown" }])
      assert.strictEqual(copy.message, error.message)
      assert.deepStrictEqual(JSON.stringify(copy), JSON.stringify(error))
    })
    it(`of an aborted or closed call survives ${way}`, async () => {
      const { client } = clientOn(() => new Promise(() => {}))
      const aborted = client.credentials.upsert.result("u", upsertion, { signal: AbortSignal.timeout(10) })
      const copy = SignalboxError.from(travel(failureOf(await aborted)))
      assert.instanceOf(copy, CallAborted)
      assert.deepInclude(copy, { operation: "credentials.upsert", sent: true, mayHaveBeenApplied: true })
      await client.close()
      const closed = failureOf(await client.events.list.result())
      assert.strictEqual(SignalboxError.from(travel(closed))?.message, closed.message)
      assert.instanceOf(SignalboxError.from(travel(closed)), ClientClosed)
    })
    it(`of many marks survives ${way} with its lists`, async () => {
      const fake = createFake()
      fake.faults.add(Fault.status(404, { times: "always" }))
      await using client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch })
      const error = await rejection(client.messages.markManyAs("user-7", ["m1", "m2"], "read"))
      assert.instanceOf(error, MarkManyMessagesAsError)
      const copy = SignalboxError.from(travel(error))
      assert.instanceOf(copy, MarkManyMessagesAsError)
      assert.deepStrictEqual(copy.failed, ["m1", "m2"])
      assert.strictEqual(copy.errors[0].reason._tag, "NotFound")
      assert.deepStrictEqual(copy.messages, [])
    })
  }
  it("is read from the log line, too, which has fewer facts", async () => {
    const { client } = clientOn(() => json({ message: "no" }, { status: 404 }))
    const error = failureOf(await client.events.list.result())
    const copy = SignalboxError.from(JSON.parse(JSON.stringify(error)))
    assert(copy?.reason._tag === "NotFound")
    assert.strictEqual(JSON.stringify(copy), JSON.stringify(error))
    assert.isUndefined(copy.reason.detail)
    const many = await rejection(client.messages.markManyAs("user-7", ["m1"], "read"))
    const line = SignalboxError.from(JSON.parse(JSON.stringify(many)))
    assert.instanceOf(line, MarkMessagesAsError)
    assert.strictEqual(line.message, String(many).replace("MarkManyMessagesAsError: ", ""))
  })
  it("arrives in a worker thread", async () => {
    const { client } = clientOn(() => json({ message: "no" }, { status: 404 }))
    const error = failureOf(await client.events.list.result())
    const echo =
      "const { parentPort } = require('node:worker_threads'); parentPort.once('message', (data) => parentPort.postMessage(data))"
    const worker = new Worker(echo, { eval: true })
    const received = new Promise((resolve) => worker.once("message", resolve))
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    worker.postMessage(SignalboxError.encode(error))
    assert.strictEqual(SignalboxError.from(await received)?.reason._tag, "NotFound")
    await worker.terminate()
  })
  it("has no secret, no stack and no cause", async () => {
    const failure = new Error("vault down, token abc123")
    const { client } = clientOn(() => json({}), {
      apiKey: () => {
        throw failure
      }
    })
    const error = failureOf(await client.credentials.upsert.result("user-7", upsertion))
    assert.strictEqual(error.cause, failure)
    const data = JSON.stringify(SignalboxError.encode(error))
    for (const hidden of ["abc123", "hooks.test", "ErrorData.test.ts"]) assert.notInclude(data, hidden)
  })
  it("is undefined for anything else", () => {
    const foreign: ReadonlyArray<unknown> = [
      undefined,
      null,
      "ListEventsError",
      new Error("no"),
      [],
      {},
      { _tag: "ListEventsError" },
      { _tag: "ListEventsError", message: "no" },
      { _tag: "ListEventsError", message: "no", operation: "events.list", reason: { _tag: "New", message: "no" } },
      { _tag: "MarkManyMessagesAsError", message: "no", errors: [] },
      { _tag: "MarkManyMessagesAsError", message: "no", errors: [{}] },
      { _tag: "toString", message: "no", operation: "events.list", reason: { _tag: "toString" } }
    ]
    for (const data of foreign) assert.isUndefined(SignalboxError.from(data))
  })
  it("that is an error already is returned", async () => {
    const { client } = clientOn(() => json({}, { status: 404 }))
    const error = failureOf(await client.events.list.result())
    assert.strictEqual(SignalboxError.from(error), error)
  })
})
