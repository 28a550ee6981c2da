import { assert, describe, it } from "@effect/vitest"
import { ResponseValidationError, SDKError } from "@novu/api/models/errors/index.js"
import { type EnvironmentOptions, Fault, type Fake, manualClock } from "@signalbox/test-harness"
import { vi } from "vitest"
import { briefly, connect, surfaces } from "./NovuClient.ts"

const options: EnvironmentOptions = { switches: { "idempotency.sameBody": "replay" } }

const prepare = (fake: Fake) => {
  fake.addSubscriber({ subscriberId: "ana" })
  fake.addIntegration({ providerId: "fcm" })
}

const tokensOf = (fake: Fake): ReadonlyArray<string> =>
  fake
    .state()
    .subscribers.flatMap(({ channels }) => channels.flatMap(({ credentials }) => credentials.deviceTokens ?? []))

const outcomes = (fake: Fake) =>
  fake.journal.entries().map(({ outcome }) => ("status" in outcome ? outcome.status : outcome._tag))

describe.each(surfaces)("repeats of @novu/api over %s", (surface) => {
  const append = async (fault: Fault.Fault, environment = options) => {
    await using connected = await connect(surface, environment)
    const { fake, novu } = connected
    prepare(fake)
    using armed = fake.faults.add(fault)
    const { result } = await novu.subscribers.credentials.append(
      { providerId: "fcm", credentials: { deviceTokens: ["phone"] } },
      "ana"
    )
    assert.deepStrictEqual(result.channels?.[0]?.credentials.deviceTokens, tokensOf(fake))
    return { fired: armed.fired(), fake, tokens: tokensOf(fake) }
  }

  it("retries 503 and 429 with one key, until it succeeds", async () => {
    const { fake, fired } = await append(Fault.status(503, { times: 2 }))
    assert.strictEqual(fired, 2)
    assert.deepStrictEqual(outcomes(fake), [503, 503, 200])
    const keys = fake.journal.entries().map(({ idempotencyKey }) => idempotencyKey)
    assert.isDefined(keys[0])
    assert.strictEqual(new Set(keys).size, 1)
    const limited = await append(Fault.rateLimited({ retryAfterMs: 1_000 }))
    assert.deepStrictEqual(outcomes(limited.fake), [429, 200])
  })

  it("retries 409 while the same key is in flight, and then returns the first response", async () => {
    // The first request is held until the second one has its response.
    const clock = manualClock()
    await using connected = await connect(surface, { ...options, clock })
    const { fake, novu } = connected
    prepare(fake)
    using held = fake.faults.add(Fault.latency(30, { at: "validated", attempt: 1 }))
    fake.journal.subscribe(({ outcome }) => {
      if ("status" in outcome && outcome.status === 409) clock.advance(30)
    })
    const once = () =>
      novu.subscribers.credentials.append(
        { providerId: "fcm", credentials: { deviceTokens: ["phone"] } },
        "ana",
        "order-7"
      )
    const answers = await Promise.all([once(), once()])
    assert.strictEqual(held.fired(), 1)
    assert.deepStrictEqual(answers[0].result, answers[1].result)
    assert.deepStrictEqual(tokensOf(fake), ["phone"])
    assert.includeMembers(outcomes(fake), [409])
    assert.strictEqual(fake.journal.entries().filter(({ applied }) => applied).length, 1)
    assert.isTrue(fake.journal.entries().at(-1)?.replayed)
  })

  it.each([
    ["a reset", Fault.reset({ at: "committed" })],
    ["a close", Fault.close({ at: "committed" })]
  ])("retries %s after the change, which is made once where keys are honoured", async (_, fault) => {
    const { fake, tokens } = await append(fault)
    assert.deepStrictEqual(outcomes(fake), ["NoResponse", 200])
    assert.deepStrictEqual(tokens, ["phone"])
    assert.isTrue(fake.journal.entries().at(-1)?.replayed)
  })

  it("doubles device tokens where keys are ignored and duplicates are kept", async () => {
    const { tokens } = await append(Fault.reset({ at: "committed" }), {
      switches: { "idempotency.sameBody": "apply", "credentials.tokenDuplicates": "kept" }
    })
    assert.deepStrictEqual(tokens, ["phone", "phone"])
  })

  it("is given 503 again and again for a key whose first answer was a failure, as with the real service", async () => {
    await using connected = await connect(surface, options)
    const { fake, novu } = connected
    const failing = novu.subscribers.messages.markAllAs(
      { messageId: "640000000000000000000001", markAs: "read" },
      "nobody",
      "order-7",
      { retries: { ...briefly, backoff: { ...briefly.backoff, maxElapsedTime: 200 } } }
    )
    assert.strictEqual(
      await failing.catch((error: unknown) => (error instanceof Error ? error.name : error)),
      "ErrorDto"
    )
    const again = novu.subscribers.messages.markAllAs(
      { messageId: "640000000000000000000001", markAs: "read" },
      "nobody",
      "order-7",
      { retries: { strategy: "none" } }
    )
    const error = await again.catch((failure: unknown) => failure)
    assert.instanceOf(error, SDKError)
    assert.strictEqual(error.statusCode, 503)
    assert.isTrue(fake.journal.entries().at(-1)?.replayed)
  })

  it("does not repeat what it was refused", async () => {
    await using connected = await connect(surface, options)
    const call = connected.novu.notifications.list({ limit: 51 })
    await call.catch(() => {})
    assert.deepStrictEqual(outcomes(connected.fake), [422])
  })

  it("abandons a request without a response, and retries", async () => {
    // The limit of the first request passes when the fake has received it; that of the second one never does.
    const [first, second] = [new AbortController(), new AbortController()]
    using limits = vi.spyOn(AbortSignal, "timeout").mockReturnValue(second.signal).mockReturnValueOnce(first.signal)
    await using connected = await connect(surface, options, { timeoutMs: 50 })
    const { fake, novu } = connected
    const pass = () => first.abort(new DOMException("The operation timed out", "TimeoutError"))
    fake.journal.subscribe(() => void setImmediate(pass))
    using hang = fake.faults.add(Fault.hang())
    const { result } = await novu.notifications.list({})
    assert.strictEqual(hang.fired(), 1)
    assert.deepStrictEqual(limits.mock.calls, [[50], [50]])
    assert.deepStrictEqual(result.data, [])
    assert.deepStrictEqual(outcomes(fake), ["NoResponse", 200])
  })

  it("cannot read a value that is newer than itself, and reports it", async () => {
    await using connected = await connect(surface, options)
    const { fake, novu } = connected
    fake.addWorkflow({ identifier: "letter", steps: [{ type: "email" }] })
    fake.addEvent({ subscriberId: "ana", workflow: "letter" })
    using drift = fake.faults.add(Fault.drift({ kind: "unknown-enum-value", field: "providerId" }))
    const error = await novu.notifications.list({}).catch((failure: unknown) => failure)
    assert.strictEqual(drift.fired(), 1)
    assert.instanceOf(error, ResponseValidationError)
  })
})
