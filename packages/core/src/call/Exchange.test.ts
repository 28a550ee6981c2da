import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import {
  fork,
  apiKey,
  clientLayer,
  connectionError,
  event,
  makeTransport,
  page
} from "../../test/transport/Transport.ts"
import { transportsOn } from "../../test/transport/Transports.ts"
import { Credentials } from "../services/Credentials.ts"
import { Events } from "../services/Events.ts"
import { Messages } from "../services/Messages.ts"
import * as Timeouts from "../policies/Timeouts.ts"
import * as IdempotencyPolicy from "../policies/IdempotencyPolicy.ts"
import * as RetryPolicy from "../policies/RetryPolicy.ts"
import { CallObserver } from "./CallInfo.ts"
import { Transport, TransportError, type TransportShape } from "../transport/Transport.ts"

const mark = Messages.use(({ markAs }) => markAs("user-7", { messageId: "m1", markAs: "read" }))
const once = RetryPolicy.layer(RetryPolicy.none)

/** The error of a write whose only exchange fails so. */
const errorOf = (failure: Error) =>
  Effect.flip(mark).pipe(Effect.provide(Layer.merge(clientLayer(makeTransport(() => failure)), once)))

/** The error of a write over a transport of one's own. */
const errorOver = (send: TransportShape["send"]) => {
  const own = { ...makeTransport(() => new Error()), layer: Layer.succeed(Transport, { send }) }
  return Effect.flip(mark).pipe(Effect.provide(Layer.merge(clientLayer(own), once)))
}

describe("an exchange without a response", () => {
  it.effect("shows a long message of the platform up to a whole word", function* () {
    const { message } = yield* errorOf(new TypeError(`cannot ${"connect again ".repeat(20)}`))
    assert.match(message, /connection failed: cannot (?:connect again )+connect… /)
  })
  it.effect("is not sent when its code proves it", function* () {
    const { mayHaveBeenApplied, message } = yield* errorOf(connectionError("ECONNREFUSED"))
    assert.isFalse(mayHaveBeenApplied)
    assert.include(message, "connection failed with ECONNREFUSED, nothing was sent.")
  })
  it.effect("has unknown delivery otherwise, with a code and without", function* () {
    const coded = yield* errorOf(connectionError("ECONNRESET"))
    assert.isTrue(coded.mayHaveBeenApplied)
    assert.include(coded.message, "connection failed with ECONNRESET.")
    const plain = yield* errorOf(new TypeError("other side closed"))
    assert.isTrue(plain.mayHaveBeenApplied)
    assert.include(plain.message, "connection failed: other side closed. ")
    const silent = yield* errorOf(new TypeError(""))
    assert.include(silent.message, "connection failed. ")
  })
  it.effect("has the platform's message on one short line, without secrets of the request", function* () {
    const { message } = yield* errorOf(new TypeError(`bad\n header ${apiKey} ${"long ".repeat(100)}end`))
    assert.include(message, "connection failed: bad header <redacted> long")
    assert.notInclude(message, apiKey)
    assert.notInclude(message, "end,")
  })
  it.effect("hides a device token that is cut with the rest of a long saying", function* () {
    const token = "a-device-token-of-the-tests"
    const saying = `${"x".repeat(110)} ${token}`
    const upsert = Credentials.use((service) =>
      service.upsert("user-7", { providerId: "fcm", credentials: { deviceTokens: [token] } })
    )
    const { message } = yield* Effect.flip(upsert).pipe(
      Effect.provide(Layer.merge(clientLayer(makeTransport(() => new TypeError(saying))), once))
    )
    assert.notInclude(message, token.slice(0, 6))
  })
  it.effect("has the status of a response that started, whatever the error code", function* () {
    const error = yield* errorOver(() =>
      Effect.fail(new TransportError({ cause: connectionError("ECONNREFUSED"), partial: { status: 200, headers: {} } }))
    )
    assert.isTrue(error.mayHaveBeenApplied)
    assert.strictEqual(error.status, 200)
    assert.deepInclude(error.reason, { _tag: "MalformedResponse", isCutOff: true })
  })
})

describe("a response that takes too long", () => {
  it.effect("names the limit that it exceeded", function* () {
    const reasonFor = Effect.fnUntraced(function* (limits: Parameters<typeof Timeouts.make>[0]) {
      const transport = makeTransport(() => "never")
      const fiber = yield* fork(
        Effect.flip(mark).pipe(
          Effect.provideService(Timeouts.Timeouts, Timeouts.make(limits)),
          Effect.provide(Layer.merge(clientLayer(transport), once))
        )
      )
      yield* TestClock.adjust("1 minute")
      const { mayHaveBeenApplied, reason } = yield* Fiber.join(fiber)
      assert.isTrue(mayHaveBeenApplied)
      assert.deepStrictEqual(transport.aborted, [1])
      return { ...reason.toJSON() }
    })
    assert.deepStrictEqual(yield* reasonFor({ attempt: "2 seconds" }), {
      _tag: "Timeout",
      message: "no complete response within 2000 ms",
      delivery: "unknown",
      scope: "attempt",
      limitMs: 2000
    })
    assert.deepStrictEqual(yield* reasonFor({ attempt: "5 seconds", call: "5 seconds" }), {
      _tag: "Timeout",
      message: "not done within 5000 ms",
      delivery: "unknown",
      scope: "call",
      limitMs: 5000
    })
  })
})

describe.each(["FetchTransport", "HttpClientTransport"] as const)("a body that never ends, through %s,", (name) => {
  const reasonOf = Effect.fnUntraced(function* (status: number) {
    const headers = { "retry-after": "7" }
    const transport = makeTransport(() => new Response(new ReadableStream({}), { status, headers }))
    const client = clientLayer({ ...transport, layer: transportsOn(transport.fetch)[name] })
    const fiber = yield* fork(Effect.flip(mark).pipe(Effect.provide(Layer.merge(client, once))))
    yield* TestClock.adjust("1 minute")
    return yield* Fiber.join(fiber)
  })
  it.effect("keeps the reason of a failure, which its status is enough for", function* () {
    const notFound = yield* reasonOf(404)
    assert.deepStrictEqual([notFound.reason._tag, notFound.status], ["NotFound", 404])
    assert.isFalse(notFound.mayHaveBeenApplied)
    assert.deepInclude((yield* reasonOf(429)).reason, { _tag: "RateLimited", retryAfterMs: 7000 })
  })
  it.effect("of a success is a timeout", function* () {
    const { mayHaveBeenApplied, reason } = yield* reasonOf(200)
    assert.strictEqual(reason._tag, "Timeout")
    assert.isTrue(mayHaveBeenApplied)
  })
})

describe("a response with a status of success", () => {
  const list = Events.use((events) => events.list())
  const tagFor = (response: () => Response) =>
    Effect.map(
      Effect.result(list).pipe(Effect.provide(Layer.merge(clientLayer(makeTransport(response)), once))),
      (result) => (result._tag === "Success" ? "success" : result.failure.reason._tag)
    )
  it.effect("is read from 200 to 299", function* () {
    for (const status of [200, 201, 299]) {
      assert.strictEqual(yield* tagFor(() => Response.json(page(), { status })), "success")
    }
    assert.strictEqual(yield* tagFor(() => Response.json(page(), { status: 300 })), "UnexpectedStatus")
  })
  it.effect("reports the first expectation first, and has every issue", function* () {
    const bodies: ReadonlyArray<readonly [string, string, number]> = [
      ["{}", "200 with a body that cannot be read: hasMore: Missing key", 4],
      ['{"error":"Not found"}', "200 with a body that cannot be read: hasMore: Missing key", 4],
      [" ", "200 with a body that cannot be read: Expected JSON, the body is empty", 1],
      ["<p>", "200 with a body that cannot be read: Expected JSON", 1],
      ["<!doctype html><p>", "200 with a body that cannot be read: Expected JSON, not an HTML page", 1]
    ]
    for (const [body, message, issues] of bodies) {
      const transport = makeTransport(() => new Response(body))
      const { reason } = yield* Effect.flip(list).pipe(Effect.provide(clientLayer(transport)))
      assert(reason._tag === "MalformedResponse")
      assert.strictEqual(reason.message, message)
      assert.strictEqual(reason.status, 200)
      // Without JSON, or with an error in the body, the response may not be the service's.
      assert.strictEqual(reason.accepted, body === "{}" ? false : undefined)
      assert.lengthOf(reason.fields ?? [], issues)
    }
  })
  it.effect("does not report a write as accepted whose body has an error in the envelope of a success", function* () {
    for (const [body, accepted] of [
      [{ data: {} }, true],
      [{ data: { error: "not done" } }, undefined]
    ]) {
      const transport = makeTransport(() => Response.json(body))
      const { reason } = yield* Effect.flip(mark).pipe(Effect.provide(clientLayer(transport)))
      assert(reason._tag === "MalformedResponse")
      assert.strictEqual(reason.accepted, accepted)
    }
  })
  it.effect.each<readonly [string, string]>([
    ["No such key...", "No such key. Check "],
    ["Gone!", "Gone! Check "],
    ["Which key?", "Which key? Check "],
    ["word ".repeat(100), "word word… Check "]
  ])("ends its message with one mark, whatever the service says: %s", ([words, end]) =>
    Effect.gen(function* () {
      const transport = makeTransport(() => Response.json({ message: words }, { status: 404 }))
      const { message } = yield* Effect.flip(list).pipe(Effect.provide(clientLayer(transport)))
      assert.include(message, end)
      assert.isTrue(message.startsWith(`events.list failed: 404 Not Found: ${words.slice(0, 4)}`))
    })
  )
})

describe("the last attempt of several", () => {
  it.effect("reports of itself only that nothing was sent", function* () {
    const transport = makeTransport((_, number) => connectionError(number === 1 ? "ECONNRESET" : "ECONNREFUSED"))
    const delays = RetryPolicy.layer(RetryPolicy.make({ baseDelay: 0, maxRetries: 1 }))
    const { message } = yield* Effect.flip(mark).pipe(Effect.provide(Layer.merge(clientLayer(transport), delays)))
    assert.include(message, "nothing was sent by the last attempt, but an earlier one may have arrived")
  })
  it.effect("keeps its own words where it may have arrived itself", function* () {
    const transport = makeTransport(() => connectionError("ECONNRESET"))
    const delays = RetryPolicy.layer(RetryPolicy.make({ baseDelay: 0, maxRetries: 1 }))
    const { message } = yield* Effect.flip(mark).pipe(Effect.provide(Layer.merge(clientLayer(transport), delays)))
    assert.notInclude(message, "by the last attempt")
  })
})

describe("an observer", () => {
  const seenBy = (responses: ReadonlyArray<Error | Response>) => {
    const seen: Array<boolean> = []
    const transport = makeTransport((_, number) => responses[number - 1] ?? Response.json([], { status: 201 }))
    return mark.pipe(
      Effect.provideService(CallObserver, { onMayBeApplied: (mayBe) => void seen.push(mayBe) }),
      Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ baseDelay: 0 })),
      Effect.provide(clientLayer(transport)),
      Effect.as(seen)
    )
  }
  it.effect("learns whether the change may have been applied, while the call runs", function* () {
    assert.deepStrictEqual(yield* seenBy([]), [true])
    assert.deepStrictEqual(yield* seenBy([connectionError("ECONNREFUSED")]), [true, false, true])
    assert.deepStrictEqual(yield* seenBy([connectionError("ECONNRESET")]), [true])
    assert.deepStrictEqual(yield* seenBy([connectionError("ECONNRESET"), connectionError("ECONNREFUSED")]), [true])
  })
})

describe("a service that replays responses", () => {
  const upsert = Credentials.use((service) =>
    service.upsert("user-7", { providerId: "fcm", credentials: { deviceTokens: ["token-one"] } })
  )
  /** How many requests a call sends whose second one fails, after one that got these headers. */
  const sentAfter = Effect.fnUntraced(function* (
    first: IdempotencyPolicy.IdempotencyPolicy,
    headers: (key: string) => Record<string, string>,
    status = 201
  ) {
    const transport = makeTransport((sent, number) =>
      number === 1
        ? Response.json([], { status, headers: headers(sent.headers.get("idempotency-key") ?? "") })
        : new Response(null, { status: 503 })
    )
    yield* Effect.ignore(Effect.provideService(mark, IdempotencyPolicy.IdempotencyPolicy, first)).pipe(
      Effect.andThen(Effect.flip(upsert)),
      Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ baseDelay: 0, maxRetries: 1 })),
      Effect.provide(clientLayer(transport))
    )
    return transport.sent.length - 1
  })
  it.effect("gets a change that appends again, and no other service does", function* () {
    const { fixed, off, random } = IdempotencyPolicy
    const replayed = { "idempotency-replay": "true" }
    assert.strictEqual(yield* sentAfter(random, () => replayed), 2)
    assert.strictEqual(yield* sentAfter(fixed("own"), () => replayed), 2)
    assert.strictEqual(yield* sentAfter(random, () => ({ "idempotency-replay": "false" })), 1)
    // A gateway can echo the headers of requests in front of a service that ignores keys.
    assert.strictEqual(yield* sentAfter(random, (key) => ({ "idempotency-key": key })), 1)
    assert.strictEqual(yield* sentAfter(random, () => ({})), 1)
    assert.strictEqual(yield* sentAfter(off, () => replayed), 1)
    assert.strictEqual(yield* sentAfter(random, () => replayed, 404), 1)
  })
})

describe("a vendor", () => {
  it.effect("has its name on the wire, and the neutral one in values", function* () {
    const job = {
      _id: "j",
      type: "in_app",
      providerId: "acme",
      status: "completed",
      executionDetails: [],
      step: { _id: "s", active: true, filters: [], _templateId: "t" }
    }
    const transport = makeTransport(() => Response.json(page({ data: [{ ...event("a"), jobs: [job] }] })))
    const value = yield* Events.use((events) => events.list()).pipe(
      Effect.provide(clientLayer(transport, { vendor: "acme" }))
    )
    assert.strictEqual(value.data[0]?.jobs?.[0]?.providerId, "service")
  })
})

describe("the request id of a failure", () => {
  const names = ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"]
  const idFor = (headers: Readonly<Record<string, string>>) =>
    Effect.map(
      Effect.flip(mark).pipe(
        Effect.provide(clientLayer(makeTransport(() => new Response(null, { status: 404, headers }))))
      ),
      ({ attempts, requestId }) => {
        assert.strictEqual(attempts[0]?.requestId, requestId)
        return requestId
      }
    )
  it.effect("is cut after 255 characters", function* () {
    assert.strictEqual(yield* idFor({ "x-request-id": "r".repeat(10_000) }), "r".repeat(255))
  })
  it.effect("is in the first of these headers that the response has", function* () {
    for (const [at, name] of names.entries()) {
      const later = names.slice(at).toReversed()
      assert.strictEqual(yield* idFor({ [name]: "r1" }), "r1")
      assert.strictEqual(yield* idFor(Object.fromEntries(later.map((other) => [other, other]))), name)
    }
    assert.isUndefined(yield* idFor({ "x-trace-id": "t1" }))
  })
})
