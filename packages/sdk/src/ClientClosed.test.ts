import { assert, describe, it } from "@effect/vitest"
import { createFake, type Fake, Fault, type Point } from "@signalbox/test-harness"
import { ClientClosed, type ClientOptions, createClient, type CredentialsInput, isSignalboxError } from "./index.ts"

const tokens: CredentialsInput = { providerId: "fcm", credentials: { deviceTokens: ["token-of-a-phone"] } }

const start = (options: Partial<ClientOptions> = {}) => {
  const fake = createFake({ data: "demo" })
  const { subscriberId } = fake.addSubscriber({ subscriberId: "user-7" })
  const client = createClient({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, fetch: fake.fetch, ...options })
  return { fake, client, subscriberId }
}

/** Resolves when a request passes this point. */
const passing = ({ journal }: Fake, point: Point): Promise<void> =>
  new Promise((resolve) => {
    const stop = journal.subscribe(({ points }) => {
      if (!points.some((reached) => reached.point === point)) return
      stop()
      resolve()
    })
  })

const closedWith = async (call: PromiseLike<unknown>): Promise<ClientClosed> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason
  )
  assert.instanceOf(error, ClientClosed)
  assert.isTrue(isSignalboxError(error))
  const { advice, mayHaveBeenApplied, message, operation, reason, sent } = error
  const json = { _tag: "ClientClosed", message, operation, reason, advice, sent, mayHaveBeenApplied }
  assert.deepStrictEqual(JSON.parse(JSON.stringify(error)), json)
  return error
}

describe("closing a client", () => {
  it("while the service does the work of a write does not claim that nothing was sent", async () => {
    const { client, fake, subscriberId } = start()
    using _fault = fake.faults.add(Fault.hang({ at: "committed" }))
    const committed = passing(fake, "committed")
    const call = closedWith(client.credentials.upsert(subscriberId, tokens))
    await committed
    await client.close()
    const { mayHaveBeenApplied, message, sent, stack = "" } = await call
    assert.isTrue(fake.journal.entries().at(-1)?.applied)
    assert.deepStrictEqual({ sent, mayHaveBeenApplied }, { sent: true, mayHaveBeenApplied: true })
    assert.strictEqual(
      message,
      "credentials.upsert failed: the client was closed. It is unknown whether the change was applied. " +
        "Check before retrying. Create a new client."
    )
    assert.include(stack, "ClientClosed.test.ts")
  })

  it("while a write waits to retry what the service refused reports that nothing was changed", async () => {
    let refused = () => {}
    const isRefused = new Promise<void>((resolve) => {
      refused = resolve
    })
    const { client, fake, subscriberId } = start({ onAttempt: () => refused() })
    using _fault = fake.faults.add(Fault.rateLimited({ retryAfterMs: 5_000 }))
    const call = closedWith(client.credentials.upsert(subscriberId, tokens))
    await isRefused
    await client.close()
    const { mayHaveBeenApplied, message, sent } = await call
    assert.deepStrictEqual({ sent, mayHaveBeenApplied }, { sent: true, mayHaveBeenApplied: false })
    assert.include(message, "the client was closed. Nothing was changed.")
  })

  it("while a page is on its way reports that nothing was changed", async () => {
    const { client, fake } = start()
    using _fault = fake.faults.add(Fault.hang())
    const received = passing(fake, "received")
    const call = client.events.list.result()
    await received
    await client.close()
    const { call: facts, ...result } = await call
    assert.isTrue(!result.ok && result.error instanceof ClientClosed && result.error.sent)
    assert.include(
      result.ok ? "" : result.error.message,
      "events.list failed: the client was closed. Nothing was changed."
    )
    assert.deepStrictEqual(facts.attempts, [])
  })

  it("before a call reports that nothing was sent", async () => {
    const { client, fake, subscriberId } = start()
    await client.close()
    const { mayHaveBeenApplied, message, sent } = await closedWith(client.credentials.upsert(subscriberId, tokens))
    assert.deepStrictEqual({ sent, mayHaveBeenApplied }, { sent: false, mayHaveBeenApplied: false })
    assert.strictEqual(
      message,
      "credentials.upsert failed: the client was closed. Nothing was sent. Create a new client."
    )
    await closedWith(client.events.list())
    const result = await client.events.list.result()
    assert.isTrue(!result.ok && result.error instanceof ClientClosed)
    assert.lengthOf(fake.journal.entries(), 0)
  })

  it("while marking many messages reports the outcome of each, and that some may have been marked", async () => {
    const { client, fake, subscriberId } = start()
    using _fault = fake.faults.add(Fault.hang({ at: "received" }))
    const ids = Array.from({ length: 150 }, (_, at) => at.toString(16).padStart(24, "0"))
    const received = passing(fake, "received")
    const call = client.messages.markManyAs.result(subscriberId, ids, "read", { concurrency: 1 })
    await received
    await client.close()
    const { report, ...result } = await call
    assert.isTrue(!result.ok && result.error instanceof ClientClosed && result.error.mayHaveBeenApplied)
    assert.deepStrictEqual(report, { done: [], failed: ids.slice(0, 100), notTried: ids.slice(100) })
  })
})
