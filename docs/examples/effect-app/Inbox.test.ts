import { Client } from "@signalbox/sdk/effect"
import { createFake, expectFake, Fault } from "@signalbox/test-harness"
import { layer as fakeLayer } from "@signalbox/test-harness/effect"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import assert from "node:assert/strict"
import { test } from "node:test"
import { Inbox } from "./Inbox.ts"

/** A fake, and the inbox over it on a test clock. */
const scene = () => {
  const fake = createFake({ seed: 7 })
  const client = Client.layer({ apiKey: fake.apiKey, baseUrl: fake.baseUrl }).pipe(Layer.provide(fakeLayer(fake)))
  const run = <A, E>(effect: Effect.Effect<A, E, Inbox>): Promise<A> =>
    effect.pipe(
      Effect.provide(Inbox.layer.pipe(Layer.provide(client))),
      Effect.provide(TestClock.layer()),
      Effect.runPromise
    )
  return { fake, run }
}

const messageId = "65f0a1b2c3d4e5f6a7b8c9d0"

test("retries a list after two failures; the waits take no time", async () => {
  const { fake, run } = scene()
  fake.trigger({ workflow: "welcome", to: "ana" })
  fake.faults.add(Fault.status(503, { operation: "events.list", times: 2 }))

  const counting = Effect.gen(function* () {
    const inbox = yield* Inbox
    const fiber = yield* Effect.forkChild(inbox.countEvents("ana"))
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })
  assert.equal(await run(counting), 1)
  assert.equal(fake.journal.entries().length, 3)
})

test("does not retry when a user opens a message", async () => {
  const { fake, run } = scene()
  fake.faults.add(Fault.status(503, { operation: "messages.markAs" }))

  const reason = Inbox.use((inbox) => inbox.open("ana", messageId)).pipe(
    Effect.as("opened"),
    Effect.catchReason("MarkMessagesAsError", "ServerFailure", () => Effect.succeed("the service is unavailable"))
  )
  assert.equal(await run(reason), "the service is unavailable")
  expectFake(fake).neverRequested("events.list")
  assert.equal(fake.journal.entries().length, 1)
})
