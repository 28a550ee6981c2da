import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { fork, clientLayer, makeTransport, message, page, type Respond } from "../../test/transport/Transport.ts"
import * as CallInfo from "../call/CallInfo.ts"
import { Events } from "../services/Events.ts"
import * as IdempotencyPolicy from "./IdempotencyPolicy.ts"
import { Messages } from "../services/Messages.ts"

const mark = (id = "m1") => Messages.use((messages) => messages.markAs("user-7", { messageId: id, markAs: "read" }))

const uuidV7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

const marked = () => Response.json([message("m1")], { status: 201 })

/** The keys that the requests of an effect carried. */
const keysOf = Effect.fnUntraced(function* (
  effect: Effect.Effect<unknown, unknown, Messages | Events>,
  respond: Respond = marked
) {
  const transport = makeTransport(respond)
  const fiber = yield* fork(Effect.result(effect).pipe(Effect.provide(clientLayer(transport))))
  while (fiber.pollUnsafe() === undefined) {
    // In small steps: a digest that takes its time must not find the time limit of the call passed.
    yield* TestClock.adjust("10 millis")
    // SHA-256 comes from the platform, which no test clock moves.
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
  }
  yield* Fiber.join(fiber)
  return transport.sent.map(({ headers }) => headers.get("idempotency-key"))
})

const withPolicy =
  (policy: IdempotencyPolicy.IdempotencyPolicy) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.provideService(effect, IdempotencyPolicy.IdempotencyPolicy, policy)

describe("random", () => {
  it.effect("one UUID of version 7 for each call, the same for each of its attempts", function* () {
    const keys = yield* keysOf(Effect.andThen(mark(), mark()), (_, number) =>
      number === 1 ? new Response(null, { status: 503 }) : marked()
    )
    assert.strictEqual(keys.length, 3)
    assert.match(keys[0] ?? "", uuidV7)
    assert.strictEqual(keys[1], keys[0])
    assert.notStrictEqual(keys[2], keys[0])
  })
  it.effect("begins with the time of the call, so that keys stand in the order of their calls", function* () {
    yield* TestClock.setTime(0x0123_4567_89ab)
    const keys = yield* keysOf(mark())
    assert.match(keys[0] ?? "", /^01234567-89ab-7/)
  })
})

describe("derived", () => {
  const derived = (scope: string, generation?: number) => withPolicy(IdempotencyPolicy.derived(scope, generation))
  it.effect("is the same for the same request in the same scope, and another one for everything else", function* () {
    const of = (effect: Effect.Effect<unknown, unknown, Messages>) => Effect.map(keysOf(effect), ([key]) => key)
    const key = yield* of(derived("job-1")(mark()))
    assert.match(key ?? "", /^[0-9a-f]{64}$/)
    assert.strictEqual(yield* of(derived("job-1", 0)(mark())), key)
    const others = [
      yield* of(derived("job-2")(mark())),
      yield* of(derived("job-1", 1)(mark())),
      yield* of(derived("job-1")(mark("m2"))),
      yield* of(
        derived("job-1")(Messages.use((messages) => messages.markAs("user-8", { messageId: "m1", markAs: "read" })))
      )
    ]
    assert.strictEqual(new Set([key, ...others]).size, 5)
  })
  it.effect("does not depend on the order in which the caller wrote the fields", function* () {
    const one = Messages.use((messages) => messages.markAs("user-7", { messageId: "m1", markAs: "read" }))
    const other = Messages.use((messages) => messages.markAs("user-7", { markAs: "read", messageId: "m1" }))
    assert.deepStrictEqual(yield* keysOf(derived("s")(one)), yield* keysOf(derived("s")(other)))
  })
})

describe("fixed and off", () => {
  it.effect("send the fixed key, or no key", function* () {
    assert.deepStrictEqual(yield* keysOf(withPolicy(IdempotencyPolicy.fixed("order 81"))(mark())), ["order 81"])
    assert.deepStrictEqual(yield* keysOf(withPolicy(IdempotencyPolicy.off)(mark())), [null])
  })
  const bad = ["", "x".repeat(256), "a\nb", "a\u0000", "é", " outer"]
  for (const key of bad) {
    it.effect(`${JSON.stringify(key.slice(0, 8))} is refused and nothing is sent`, function* () {
      const transport = makeTransport(marked)
      const error = yield* mark().pipe(
        withPolicy(IdempotencyPolicy.fixed(key)),
        Effect.flip,
        Effect.provide(clientLayer(transport))
      )
      assert.strictEqual(error.reason._tag, "InvalidRequest")
      if (error.reason._tag === "InvalidRequest") assert.strictEqual(error.reason.fields[0]?.path, "idempotencyKey")
      assert.strictEqual(transport.sent.length, 0)
    })
  }
  it.effect("255 characters are sent", function* () {
    const key = "x".repeat(255)
    assert.deepStrictEqual(yield* keysOf(withPolicy(IdempotencyPolicy.fixed(key))(mark())), [key])
  })
})

describe("responses about keys", () => {
  it.effect("a request in flight is waited for by its hint, with the same key", function* () {
    const transport = makeTransport((_, number) =>
      number === 1 ? Response.json({}, { status: 409, headers: { "retry-after": "1" } }) : marked()
    )
    const fiber = yield* fork(mark().pipe(Effect.provide(clientLayer(transport))))
    yield* TestClock.adjust(999)
    assert.strictEqual(transport.sent.length, 1)
    yield* TestClock.adjust(201)
    assert.strictEqual((yield* Fiber.join(fiber)).length, 1)
    const [first, second] = transport.sent.map(({ headers }) => headers.get("idempotency-key"))
    assert.strictEqual(first, second)
  })
  it.effect("a replay shows, as does the key", function* () {
    const transport = makeTransport(() =>
      Response.json([message("m1")], { status: 201, headers: { "Idempotency-Replay": "true" } })
    )
    const { call } = yield* CallInfo.withInfo(mark()).pipe(
      withPolicy(IdempotencyPolicy.fixed("order-81")),
      Effect.provide(clientLayer(transport))
    )
    assert.deepStrictEqual([call.replayed, call.idempotencyKey], [true, "order-81"])
  })
  it.effect("the error carries the key", function* () {
    const error = yield* mark().pipe(
      withPolicy(IdempotencyPolicy.fixed("order-81")),
      Effect.flip,
      Effect.provide(clientLayer(makeTransport(() => new Response(null, { status: 404 }))))
    )
    assert.strictEqual(error.idempotencyKey, "order-81")
  })
})

describe("reads", () => {
  it.effect("carry a key too, as the document allows", function* () {
    const [key] = yield* keysOf(
      Events.use((events) => events.list()),
      () => Response.json(page())
    )
    assert.match(key ?? "", uuidV7)
  })
})
