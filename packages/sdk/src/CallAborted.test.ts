import { assert, describe, it } from "@effect/vitest"
import { createFake, Fault } from "@signalbox/test-harness"
import {
  CallAborted,
  type CallResult,
  type ClientOptions,
  createClient,
  type CredentialsInput,
  isSignalboxError
} from "./index.ts"

const tokens: CredentialsInput = { providerId: "fcm", credentials: { deviceTokens: ["token-of-a-phone"] } }

const start = (options: Partial<ClientOptions> = {}) => {
  const fake = createFake({ data: "demo" })
  const { subscriberId } = fake.addSubscriber({ subscriberId: "user-7" })
  const controller = new AbortController()
  const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch, ...options })
  return { fake, client, controller, subscriberId, options: { signal: controller.signal } }
}

const abortedWith = (result: CallResult<unknown, unknown>): CallAborted => {
  const error = result.ok ? undefined : result.error
  assert.instanceOf(error, CallAborted)
  assert.strictEqual(error.cause, "enough")
  assert.isTrue(isSignalboxError(error))
  const { advice, mayHaveBeenApplied, message, operation, reason, sent } = error
  assert.deepStrictEqual(reason, { _tag: "CallAborted", message: "its signal was aborted" })
  // Neither the reason of the signal nor the attempts are in the JSON.
  const json = { _tag: "CallAborted", message, operation, reason, advice, sent, mayHaveBeenApplied }
  assert.deepStrictEqual(JSON.parse(JSON.stringify(error)), json)
  assert.isTrue(message.endsWith(advice))
  return error
}

describe("aborting a call", () => {
  it("while the service does the work of a write reports that this is unknown", async () => {
    const { client, controller, fake, options, subscriberId } = start()
    using _fault = fake.faults.add(Fault.hang({ at: "committed" }))
    fake.journal.subscribe(({ applied }) => applied && controller.abort("enough"))
    const result = await client.credentials.upsert.result(subscriberId, tokens, options)
    const { mayHaveBeenApplied, message, sent } = abortedWith(result)
    assert.isTrue(fake.journal.entries().at(-1)?.applied)
    assert.deepStrictEqual({ sent, mayHaveBeenApplied }, { sent: true, mayHaveBeenApplied: true })
    assert.strictEqual(
      message,
      "credentials.upsert failed: its signal was aborted. It is unknown whether the change was applied. " +
        "Check before retrying."
    )
    // The attempt has not ended, which is what `sent` is for.
    assert.deepStrictEqual(result.call.attempts, [])
  })

  it("while a write waits to retry what the service refused reports that nothing was changed", async () => {
    const { client, controller, fake, options, subscriberId } = start({
      // The consequence of the outcome for the call is decided when the observer has received it.
      onAttempt: () => queueMicrotask(() => controller.abort("enough"))
    })
    using _fault = fake.faults.add(Fault.rateLimited({ retryAfterMs: 5_000 }))
    const result = await client.credentials.upsert.result(subscriberId, tokens, options)
    const { mayHaveBeenApplied, message, sent } = abortedWith(result)
    assert.deepStrictEqual({ sent, mayHaveBeenApplied }, { sent: true, mayHaveBeenApplied: false })
    assert.strictEqual(message, "credentials.upsert failed: its signal was aborted. Nothing was changed.")
    assert.lengthOf(result.call.attempts, 1)
  })

  it("while a write waits to retry what may have been done reports that this is unknown", async () => {
    const { client, controller, fake, options, subscriberId } = start({
      onAttempt: () => controller.abort("enough"),
      retry: { baseDelayMs: 1000 }
    })
    using _fault = fake.faults.add(Fault.reset({ at: "committed" }))
    const ids = ["65f0a1b2c3d4e5f6a7b8c9d0"]
    const result = await client.messages.markAs.result(subscriberId, { messageId: ids, markAs: "read" }, options)
    assert.isTrue(abortedWith(result).mayHaveBeenApplied)
  })

  it("while a page is on its way reports that nothing was changed", async () => {
    const { client, controller, fake, options } = start()
    using _fault = fake.faults.add(Fault.hang())
    fake.journal.subscribe(() => controller.abort("enough"))
    const { mayHaveBeenApplied, message, sent } = abortedWith(await client.events.list.result({}, options))
    assert.deepStrictEqual({ sent, mayHaveBeenApplied }, { sent: true, mayHaveBeenApplied: false })
    assert.strictEqual(message, "events.list failed: its signal was aborted. Nothing was changed.")
  })

  it("before it, or before there is a key, reports that nothing was sent", async () => {
    const { client, controller, fake, options, subscriberId } = start({
      apiKey: () => {
        controller.abort("enough")
        return new Promise(() => {})
      }
    })
    for (let round = 0; round < 2; round++) {
      const result = await client.credentials.upsert.result(subscriberId, tokens, options)
      const { mayHaveBeenApplied, message, sent } = abortedWith(result)
      assert.deepStrictEqual({ sent, mayHaveBeenApplied }, { sent: false, mayHaveBeenApplied: false })
      assert.strictEqual(message, "credentials.upsert failed: its signal was aborted. Nothing was sent.")
    }
    assert.lengthOf(fake.journal.entries(), 0)
  })
})
