import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { TestClock } from "effect/testing"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { manualClock } from "../clock/ManualClock.ts"
import { createFake, expectFake, Fault, JournalEvicted, UnmetExpectation } from "../index.ts"
import { addFault, layer as fakeLayer, waitFor } from "../effect.ts"

const scene = (journalCapacity = 100) => {
  const clock = manualClock()
  const fake = createFake({ data: "empty", clock, journalCapacity })
  const list = () =>
    fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers: { authorization: `ApiKey ${fake.apiKey}` } })
  return { clock, fake, list, expected: expectFake(fake) }
}

const errorOf = (waiting: Promise<void>): Promise<unknown> =>
  waiting.then(
    () => undefined,
    (error: unknown) => error
  )

describe("waitFor", () => {
  it("resolves at once if the journal already meets the condition", async () => {
    const { expected, list } = scene()
    await list()
    await expected.waitFor(({ requests }) => requests.length === 1)
  })

  it("rejects a timeout longer than any timer, and unknown options", async () => {
    const { expected, fake } = scene()
    for (const timeoutMs of [-1, Number.NaN, Infinity]) {
      const rule = `expectFake.waitFor.timeoutMs: must be an integer${timeoutMs < 0 ? " from 0 to 2147483647" : ""}, not ${timeoutMs}`
      assert.propertyVal(await errorOf(expected.waitFor(() => true, { timeoutMs })), "message", rule)
      assert.throws(() => waitFor(fake, () => true, { timeoutMs }), RangeError, rule)
    }
    // Callers without types can give any name.
    const misspelt: object = { timout: 1 }
    assert.propertyVal(
      await errorOf(expected.waitFor(() => true, misspelt)),
      "message",
      "expectFake.waitFor.timout: unknown option; did you mean timeoutMs? Expected one of: timeoutMs"
    )
  })

  it("resolves when a request meets the condition, without polling", async () => {
    const { clock, expected, fake, list } = scene()
    using _slow = fake.faults.add(Fault.latency(100))
    let looked = 0
    const waiting = expected.waitFor(({ verdicts }) => {
      looked += 1
      return verdicts.some(({ outcome }) => outcome === "success")
    })
    const answer = list()
    clock.advance(100)
    await Promise.all([waiting, answer])
    const atTheEnd = looked
    await list()
    assert.strictEqual(looked, atTheEnd)
  })

  it("rejects after the timeout, with the timeline, and stops watching", async () => {
    const { expected, list } = scene()
    await list()
    let looked = 0
    const error = await errorOf(
      expected.waitFor(
        () => {
          looked += 1
          return false
        },
        { timeoutMs: 5 }
      )
    )
    assert.instanceOf(error, UnmetExpectation)
    assert.strictEqual(error.issue, "the condition was not met within 5 ms")
    assert.include(error.message, "#1 events.list")
    const atTheEnd = looked
    await list()
    assert.strictEqual(looked, atTheEnd)
  })

  it("a predicate that throws fails the wait, not the request", async () => {
    const { expected, list } = scene()
    const error = errorOf(
      expected.waitFor(({ requests }) => {
        if (requests.length > 0) throw new TypeError("a mistake of the test")
        return false
      })
    )
    assert.strictEqual((await list()).status, 200)
    assert.instanceOf(await error, TypeError)
  })

  it("throws after requests were evicted", async () => {
    const { expected, list } = scene(1)
    const error = errorOf(expected.waitFor(({ verdicts }) => verdicts.length === 2))
    await list()
    await list()
    assert.instanceOf(await error, JournalEvicted)
  })
})

describe("waitForEffect", () => {
  const list = (apiKey: string) =>
    HttpClient.execute(
      HttpClientRequest.get("http://signalbox.test/v1/notifications", {
        headers: { authorization: `ApiKey ${apiKey}` }
      })
    )

  it.effect("resolves when a request meets the condition, on the caller's clock", () => {
    const fake = createFake({ data: "empty" })
    return Effect.gen(function* () {
      yield* addFault(fake, Fault.latency(500))
      const waiting = yield* Effect.forkChild(
        waitFor(fake, ({ verdicts }) => verdicts.some(({ outcome }) => outcome === "success"))
      )
      const answer = yield* Effect.forkChild(list(fake.apiKey))
      yield* TestClock.adjust(500)
      yield* Fiber.join(waiting)
      yield* Fiber.join(answer)
    }).pipe(Effect.provide(fakeLayer(fake)))
  })

  it.effect("fails after the timeout of the caller's clock", () => {
    const fake = createFake({ data: "empty" })
    return Effect.gen(function* () {
      const waiting = yield* Effect.forkChild(Effect.flip(waitFor(fake, () => false, { timeoutMs: 60_000 })))
      yield* TestClock.adjust(60_000)
      const { issue } = yield* Fiber.join(waiting)
      assert.strictEqual(issue, "the condition was not met within 60000 ms")
    })
  })

  it.effect("a predicate that throws is a defect", () => {
    const fake = createFake({ data: "empty" })
    return Effect.gen(function* () {
      const exit = yield* Effect.exit(
        waitFor(fake, () => {
          throw new TypeError("a mistake of the test")
        })
      )
      assert.include(String(exit), "a mistake of the test")
    })
  })
})
