import { assert, describe, it } from "@effect/vitest"
import { createClient, type UpsertInput } from "../src/index.ts"

const subscriberIdOf = (url: string) => new URL(url).pathname.split("/")[3] ?? ""

const subscriber = (subscriberId: string) =>
  Response.json({
    subscriberId,
    _organizationId: "o",
    _environmentId: "e",
    deleted: false,
    createdAt: "2026-01-01T00:00:00.000Z",
    updatedAt: "2026-01-01T00:00:00.000Z"
  })

/** An endless source that counts how many of its inputs are at most between it and the consumer. */
const endlessSource = () => {
  const counts = { pulled: 0, consumed: 0, most: 0, isEnded: false }
  async function* inputs(): AsyncGenerator<UpsertInput> {
    try {
      while (true) {
        const subscriberId = `u${counts.pulled++}`
        counts.most = Math.max(counts.most, counts.pulled - counts.consumed)
        yield { subscriberId, providerId: "fcm", credentials: { deviceTokens: [`token of ${subscriberId}`] } }
      }
    } finally {
      counts.isEnded = true
    }
  }
  return { counts, inputs }
}

const clientOn = (answer: (subscriberId: string) => Response | Promise<Response>) =>
  createClient({
    apiKey: "key",
    baseUrl: "http://service.test",
    retry: false,
    fetch: async (input) => answer(subscriberIdOf(String(input)))
  })

/** Waits one turn of the event loop, in which everything that is ready continues. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Responds to all waiting calls once no more arrive, so that the client reaches its maximum concurrency. */
const inBatches = () => {
  const batches = { largest: 0 }
  const waiting: Array<() => void> = []
  const answerAll = async (): Promise<void> => {
    for (let seen = 0; seen < waiting.length; await turn()) seen = waiting.length
    batches.largest = Math.max(batches.largest, waiting.length)
    for (const answer of waiting.splice(0)) answer()
  }
  const answer = (subscriberId: string) =>
    new Promise<Response>((resolve) => {
      waiting.push(() => resolve(subscriber(subscriberId)))
      if (waiting.length === 1) void answerAll()
    })
  return { batches, answer }
}

const enough = 2_000

describe("upsertMany over an endless source", () => {
  for (const order of ["input", "completion"] as const) {
    for (const concurrency of [1, 4, 50]) {
      it(`keeps at most ${concurrency} inputs and the one being consumed, in order of ${order}`, async () => {
        const { answer, batches } = inBatches()
        await using client = clientOn(answer)
        const { counts, inputs } = endlessSource()
        for await (const { ok } of client.credentials.upsertMany(inputs(), { concurrency, order })) {
          assert.isTrue(ok)
          // The consumer is sometimes faster and sometimes slower than the calls.
          if (counts.consumed % 7 === 0) await turn()
          if (++counts.consumed === enough) break
        }
        assert.isAtMost(counts.most, concurrency + 1)
        assert.isAtLeast(counts.most, concurrency)
        // More than the 32 with which background work starts: the responses make room.
        assert.strictEqual(batches.largest, concurrency)
        assert.isTrue(counts.isEnded)
      })
    }
  }

  it("pulls no inputs beyond the concurrency while the first ordered outcome is pending", async () => {
    const concurrency = 4
    const calls = { answered: 0 }
    let release = () => {}
    const first = new Promise<void>((resolve) => {
      release = resolve
    })
    await using client = clientOn(async (subscriberId) => {
      if (subscriberId === "u0") await first
      calls.answered++
      return subscriber(subscriberId)
    })
    const { counts, inputs } = endlessSource()
    const outcomes = client.credentials.upsertMany(inputs(), { concurrency })[Symbol.asyncIterator]()
    const pending = outcomes.next()
    while (calls.answered < concurrency - 1) await turn()
    // Enough turns for the client to pull more inputs, if it were going to.
    for (let spare = 0; spare < 20; spare++) await turn()
    assert.strictEqual(counts.pulled, concurrency)
    release()
    assert.strictEqual((await pending).value?.index, 0)
    await outcomes.return?.()
    assert.isTrue(counts.isEnded)
  })

  it("pulls nothing before it is consumed, and nothing for outcomes that are not requested", async () => {
    const concurrency = 3
    await using client = clientOn(subscriber)
    const { counts, inputs } = endlessSource()
    const outcomes = client.credentials.upsertMany(inputs(), { concurrency })[Symbol.asyncIterator]()
    await turn()
    assert.strictEqual(counts.pulled, 0)
    await outcomes.next()
    for (let spare = 0; spare < 20; spare++) await turn()
    assert.isAtMost(counts.pulled, concurrency + 1)
    await outcomes.return?.()
    assert.isTrue(counts.isEnded)
  })
})
