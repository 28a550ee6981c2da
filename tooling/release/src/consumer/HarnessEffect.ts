// The fake as an HTTP client of the application's own Effect, which is another copy than the one inside the fake.
import { createFake, expectFake, Fault } from "@signalbox/test-harness"
import { addFault, layer, waitFor } from "@signalbox/test-harness/effect"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as TestClock from "effect/testing/TestClock"

const fake = createFake({ seed: 7, events: 25 })
const list = HttpClient.get(`${fake.baseUrl}/v1/notifications`, {
  headers: { authorization: `ApiKey ${fake.apiKey}` }
})

const onTheClock = Effect.gen(function* () {
  yield* addFault(fake, Fault.latency(60_000))
  const listing = yield* Effect.forkChild(list)
  yield* waitFor(fake, ({ requests }) => requests.length === 1)
  yield* TestClock.adjust("1 minute")
  const { json, status } = yield* Fiber.join(listing)
  const { data } = (yield* json) as { readonly data: ReadonlyArray<unknown> }
  return { status, listed: data.length }
}).pipe(Effect.scoped)

const failures = Effect.gen(function* () {
  yield* addFault(fake, Fault.reset())
  const reset = yield* list.pipe(
    Effect.catchReason("HttpClientError", "TransportError", ({ cause }) => Effect.succeed(String(cause)))
  )
  const waiting = yield* Effect.forkChild(Effect.flip(waitFor(fake, () => false, { timeoutMs: 5_000 })))
  yield* TestClock.adjust("5 seconds")
  const { name } = yield* Fiber.join(waiting)
  const unfired = yield* Effect.exit(Effect.scoped(addFault(fake, Fault.status(503))))
  return { reset, waited: name, unfired: Exit.isFailure(unfired) && Cause.hasDies(unfired.cause) }
}).pipe(Effect.scoped)

const program = Effect.all([onTheClock, failures]).pipe(Effect.provide([layer(fake), TestClock.layer()]))
const [clock, failed] = await Effect.runPromise(program)
expectFake(fake).noUnfiredFaults()
console.log(JSON.stringify({ ...clock, ...failed }))
