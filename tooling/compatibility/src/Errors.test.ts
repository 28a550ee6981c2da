import { assert, describe, it } from "@effect/vitest"
import { manualClock } from "@signalbox/test-harness"
import type { Novu } from "@novu/api"
import {
  ErrorDto,
  NovuError,
  ResponseValidationError,
  SDKError,
  SDKValidationError,
  ValidationErrorDto
} from "@novu/api/models/errors/index.js"
import { connect, surfaces } from "./NovuClient.ts"

const once = { retryConfig: { strategy: "none" } } as const

const messageId = "640000000000000000000001"

const failureOf = async (call: Promise<unknown>): Promise<unknown> => {
  try {
    await call
  } catch (error) {
    return error
  }
  throw new Error("the call succeeded")
}

const mark = (novu: Novu, subscriberId: string, id = messageId) =>
  novu.subscribers.messages.markAllAs({ messageId: id, markAs: "read" }, subscriberId)

const append = (novu: Novu, subscriberId: string, deviceTokens = ["phone"], key?: string) =>
  novu.subscribers.credentials.append({ providerId: "fcm", credentials: { deviceTokens } }, subscriberId, key)

describe.each(surfaces)("errors of @novu/api over %s", (surface) => {
  it("reports a wrong key as its 401", async () => {
    await using connected = await connect(surface, {}, { ...once, secretKey: "wrong" })
    const error = await failureOf(connected.novu.notifications.list({}))
    assert.instanceOf(error, ErrorDto)
    assert.deepNestedInclude(error, { statusCode: 401, "data$.message": "API Key not found" })
  })

  it("reports an unknown subscriber as its 404 or, for credentials, its 400", async () => {
    await using connected = await connect(surface, {}, once)
    const unmarked = await failureOf(mark(connected.novu, "nobody"))
    assert.instanceOf(unmarked, ErrorDto)
    assert.deepNestedInclude(unmarked, { statusCode: 404, "data$.message": "Subscriber nobody not found" })
    const unchanged = await failureOf(append(connected.novu, "nobody"))
    assert.instanceOf(unchanged, ErrorDto)
    assert.deepNestedInclude(unchanged, { statusCode: 400, "data$.message": "SubscriberId: nobody not found" })
  })

  it("reports a bad message id and a limit over 50 as its 422, with messages", async () => {
    await using connected = await connect(surface, {}, once)
    connected.fake.addSubscriber({ subscriberId: "ana" })
    const badId = await failureOf(mark(connected.novu, "ana", "m1"))
    assert.instanceOf(badId, ValidationErrorDto)
    assert.strictEqual(badId.statusCode, 422)
    assert.deepStrictEqual(Object.values(badId.errors)[0]?.messages, [
      "messageId must be a valid MongoDB ObjectId or an array of valid MongoDB ObjectIds"
    ])
    const tooMany = await failureOf(connected.novu.notifications.list({ limit: 51 }))
    assert.instanceOf(tooMany, ValidationErrorDto)
  })

  it("reports a bad date as its 400", async () => {
    await using connected = await connect(surface, {}, once)
    const error = await failureOf(connected.novu.notifications.list({ after: "yesterday" }))
    assert.instanceOf(error, ErrorDto)
    assert.strictEqual(error.statusCode, 400)
  })

  it("reports a date before the retention as its 402", async () => {
    await using connected = await connect(surface, { switches: { "list.retention": "7d" } }, once)
    const error = await failureOf(connected.novu.notifications.list({ after: "2020-01-01T00:00:00Z" }))
    assert.instanceOf(error, SDKError)
    assert.strictEqual(error.statusCode, 402)
  })

  it("reports an empty rate limit as its 429, with the headers", async () => {
    // On a clock that stands, nothing comes back into the bucket, however slow the machine is.
    await using connected = await connect(
      surface,
      { switches: { "rateLimit.plan": "free" }, clock: manualClock() },
      once
    )
    const errors: Array<unknown> = []
    for (let index = 0; index < 180 && errors.length === 0; index++) {
      await connected.novu.notifications.list({}).catch((error: unknown) => errors.push(error))
    }
    const [error] = errors
    assert.instanceOf(error, SDKError)
    assert.strictEqual(error.statusCode, 429)
    assert.strictEqual(error.headers.get("ratelimit-remaining"), "0")
    assert.isNotNull(error.headers.get("retry-after"))
  })

  it("cannot read the answer to a key that is used again for something else, as with the real service", async () => {
    await using connected = await connect(surface, {}, once)
    connected.fake.addSubscriber({ subscriberId: "ana" })
    connected.fake.addIntegration({ providerId: "fcm" })
    await append(connected.novu, "ana", ["phone"], "order-7")
    const error = await failureOf(append(connected.novu, "ana", ["watch"], "order-7"))
    assert.instanceOf(error, ResponseValidationError)
    assert.include(error.body, "is being reused for a different body")
  })

  it("loses a page whose jobs have no provider, as with the real service", async () => {
    await using connected = await connect(surface, {}, once)
    connected.fake.addWorkflow({ identifier: "daily", steps: [{ type: "digest", wait: { amount: 1, unit: "days" } }] })
    connected.fake.addEvent({ subscriberId: "ana", workflow: "daily" })
    const error = await failureOf(connected.novu.notifications.list({}))
    assert.instanceOf(error, ResponseValidationError)
    assert.include(error.message, "Response validation failed")
  })

  it("loses messages that have no call to action, although they were marked", async () => {
    await using connected = await connect(surface, { switches: { "message.cta": "absent" } }, once)
    connected.fake.addMessage({ id: messageId, subscriberId: "ana" })
    assert.instanceOf(await failureOf(mark(connected.novu, "ana")), ResponseValidationError)
    const [message] = connected.fake.state().messages
    assert.strictEqual(message?.read, true)
  })

  it("refuses by itself what it knows to be wrong", async () => {
    await using connected = await connect(surface, {}, once)
    // A mistake of a caller without types.
    const wrong = { messageId, markAs: "archived" } as never
    const error = await failureOf(connected.novu.subscribers.messages.markAllAs(wrong, "ana"))
    assert.instanceOf(error, SDKValidationError)
    assert.notInstanceOf(error, NovuError)
    assert.lengthOf(connected.fake.journal.entries(), 0)
  })
})
