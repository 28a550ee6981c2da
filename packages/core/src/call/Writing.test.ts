import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { clientLayer, connectionError, makeTransport, type Respond } from "../../test/transport/Transport.ts"
import * as IdempotencyPolicy from "../policies/IdempotencyPolicy.ts"
import { Messages } from "../services/Messages.ts"
import * as RetryPolicy from "../policies/RetryPolicy.ts"

const key = "key-of-the-caller"
const mark = Messages.use(({ markAs }) => markAs("user-7", { messageId: "m1", markAs: "read" }))

/** The error of a write without delays, by default with a key and without repeats. */
const errorOf = (respond: Respond, policy = IdempotencyPolicy.fixed(key), maxRetries = 0) =>
  Effect.flip(mark).pipe(
    Effect.provideService(IdempotencyPolicy.IdempotencyPolicy, policy),
    Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ baseDelay: 0, maxRetries })),
    Effect.provide(Layer.fresh(clientLayer(makeTransport(respond))))
  )

const inFlight = () => new Response(null, { status: 409, headers: { "retry-after": "1" } })
const refused = (body: object) => () => Response.json(body, { status: 422 })

describe("answers about the key of a write", () => {
  it.effect("409 with Retry-After is about the key, and about something else without either", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* errorOf(inFlight)).reason._tag, "RequestInFlight")
      assert.strictEqual((yield* errorOf(inFlight, IdempotencyPolicy.off)).reason._tag, "Conflict")
      assert.strictEqual((yield* errorOf(() => new Response(null, { status: 409 }))).reason._tag, "Conflict")
    })
  )
  for (const message of [`"${key}" belongs to another body`, "Idempotency check failed"]) {
    it.effect(`422 is about the key where it says so: ${message}`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* errorOf(refused({ message }))).reason._tag, "IdempotencyKeyReused")
        const without = yield* errorOf(refused({ message }), IdempotencyPolicy.off)
        assert.strictEqual(without.reason._tag, "Rejected")
      })
    )
  }
  const others: ReadonlyArray<readonly [string, Respond]> = [
    ["says something else", refused({ message: "Validation failed" })],
    ["complains about fields", refused({ message: `"${key}" is wrong`, errors: [{ path: "markAs", message: "no" }] })],
    ["says nothing", () => new Response(null, { status: 422 })],
    ["has another status", () => Response.json({ message: `"${key}" is wrong` }, { status: 400 })]
  ]
  for (const [name, respond] of others) {
    it.effect(`an answer that ${name} is not about the key`, () =>
      Effect.gen(function* () {
        assert.strictEqual((yield* errorOf(respond)).reason._tag, "Rejected")
      })
    )
  }
})

describe("what a failed write leaves its caller with", () => {
  const doubt = "check before you repeat a write."
  it.effect("speaks of no doubt where there is none", () =>
    Effect.gen(function* () {
      const { mayHaveBeenApplied, advice } = yield* errorOf(() => new Response(null, { status: 401 }))
      assert.isFalse(mayHaveBeenApplied)
      assert.notInclude(advice, doubt)
    })
  )
  it.effect("says which attempt the doubt comes from", () =>
    Effect.gen(function* () {
      const last = yield* errorOf(() => new Response(null, { status: 503 }))
      assert.isTrue(last.advice.endsWith(` It is not known whether the service did the work; ${doubt}`))
      const earlier = yield* errorOf(
        (_, number) => (number === 1 ? connectionError("ECONNRESET") : new Response(null, { status: 401 })),
        undefined,
        1
      )
      assert.isTrue(earlier.mayHaveBeenApplied)
      assert.isTrue(earlier.advice.endsWith(` An earlier attempt may have been carried out; ${doubt}`))
    })
  )
})
