import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { clientLayer, makeTransport, type Respond } from "../../test/transport/Transport.ts"
import * as IdempotencyPolicy from "../policies/IdempotencyPolicy.ts"
import { Credentials } from "../services/Credentials.ts"
import { Messages } from "../services/Messages.ts"
import * as RetryPolicy from "../policies/RetryPolicy.ts"

const key = "key-of-the-caller"
const mark = Messages.use(({ markAs }) => markAs("user-7", { messageId: "m1", markAs: "read" }))

/** The error of a write, by default with a key; without retries. */
const errorOf = (respond: Respond, policy = IdempotencyPolicy.fixed(key)) =>
  Effect.flip(mark).pipe(
    Effect.provideService(IdempotencyPolicy.IdempotencyPolicy, policy),
    Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none),
    Effect.provide(Layer.fresh(clientLayer(makeTransport(respond))))
  )

/** The error of a write that is unsafe to retry, with one retry because the service honours keys. */
const upsertErrorOf = (respond: Respond) =>
  Credentials.use(({ upsert }) =>
    upsert("user-7", { providerId: "fcm", credentials: { deviceTokens: ["token"] } })
  ).pipe(
    Effect.flip,
    Effect.provideService(
      IdempotencyPolicy.IdempotencyPolicy,
      IdempotencyPolicy.serviceHonoursKeys(IdempotencyPolicy.random)
    ),
    Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ baseDelay: 0, maxRetries: 1 })),
    Effect.provide(Layer.fresh(clientLayer(makeTransport(respond))))
  )

const inFlight = () => new Response(null, { status: 409, headers: { "retry-after": "1" } })
const refused = (body: object) => () => Response.json(body, { status: 422 })

describe("responses about the key of a write", () => {
  it.effect("409 with Retry-After is about the key, and about something else without either", function* () {
    assert.strictEqual((yield* errorOf(inFlight)).reason._tag, "RequestInFlight")
    assert.strictEqual((yield* errorOf(inFlight, IdempotencyPolicy.off)).reason._tag, "Conflict")
    assert.strictEqual((yield* errorOf(() => new Response(null, { status: 409 }))).reason._tag, "Conflict")
  })
  for (const message of [`"${key}" belongs to another body`, "Idempotency check failed"]) {
    it.effect(`422 is about the key when its message names it: ${message}`, function* () {
      assert.strictEqual((yield* errorOf(refused({ message }))).reason._tag, "IdempotencyKeyReused")
      const without = yield* errorOf(refused({ message }), IdempotencyPolicy.off)
      assert.strictEqual(without.reason._tag, "Rejected")
    })
  }
  const others: ReadonlyArray<readonly [string, Respond]> = [
    ["says something else", refused({ message: "Validation failed" })],
    ["complains about fields", refused({ message: `"${key}" is wrong`, errors: [{ path: "markAs", message: "no" }] })],
    ["says nothing", () => new Response(null, { status: 422 })],
    ["has another status", () => Response.json({ message: `"${key}" is wrong` }, { status: 400 })]
  ]
  for (const [name, respond] of others) {
    it.effect(`a response that ${name} is not about the key`, function* () {
      assert.strictEqual((yield* errorOf(respond)).reason._tag, "Rejected")
    })
  }
})

describe("the advice of a failed write", () => {
  const unknown = "It is unknown whether the change was applied. Check before retrying."
  const earlier = "An earlier attempt may have been applied. Check before retrying."
  it.effect("is the next step when nothing was applied", function* () {
    const { mayHaveBeenApplied, advice } = yield* errorOf(() => new Response(null, { status: 401 }))
    assert.isFalse(mayHaveBeenApplied)
    assert.strictEqual(advice, "Check the API key and that it belongs to this base URL.")
  })
  it.effect("is the next step too when the change may have been applied and retrying is safe", function* () {
    const { mayHaveBeenApplied, advice } = yield* errorOf(() => new Response(null, { status: 503 }))
    assert.isTrue(mayHaveBeenApplied)
    assert.strictEqual(advice, "Retry later.")
  })
  it.effect("is to check first when retrying is unsafe, and names the attempt in doubt", function* () {
    const last = yield* upsertErrorOf(() => new Response(null, { status: 503 }))
    assert.deepStrictEqual([last.mayHaveBeenApplied, last.advice], [true, unknown])
    const before = yield* upsertErrorOf((_, number) =>
      number === 1 ? new Response(null, { status: 503 }) : new Response(null, { status: 401 })
    )
    assert.deepStrictEqual([before.mayHaveBeenApplied, before.advice], [true, earlier])
  })
})
