import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import type { MarkManyReport } from "../errors/Errors.ts"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import * as RetryPolicy from "../policies/RetryPolicy.ts"
import { fork, clientLayer, makeTransport, message, type Sent } from "../../test/transport/Transport.ts"
import * as IdempotencyPolicy from "../policies/IdempotencyPolicy.ts"
import { type MarkAsInput, Messages } from "./Messages.ts"

const idsIn = ({ body }: Sent): ReadonlyArray<string> =>
  (body as { readonly messageId: ReadonlyArray<string> }).messageId

const ids = (count: number) => Array.from({ length: count }, (_, index) => `m${index}`)

const answer = (sent: Sent) => Response.json(idsIn(sent).map(message), { status: 201 })

describe("markAs", () => {
  it.effect("is one request, and takes both envelopes and any 2xx", function* () {
    const transport = makeTransport((_, number) =>
      number === 1 ? Response.json([message("m1")], { status: 201 }) : Response.json({ data: [message("m1")] })
    )
    const mark = Messages.use((messages) => messages.markAs("user/7", { messageId: ["m1"], markAs: "seen" }))
    const both = yield* Effect.all([mark, mark]).pipe(Effect.provide(clientLayer(transport)))
    assert.deepStrictEqual(both[0], both[1])
    const [sent] = transport.sent
    assert.strictEqual(sent?.method, "POST")
    assert.strictEqual(sent?.url.pathname, "/v1/subscribers/user%2F7/messages/mark-as")
    assert.deepStrictEqual(sent?.body, { messageId: ["m1"], markAs: "seen" })
    assert.strictEqual(sent?.headers.get("content-type"), "application/json")
  })
  for (const [name, subscriberId, input, path] of [
    ["an unknown mark", "user-7", { messageId: "m1", markAs: "opened" }, "markAs"],
    ["an empty subscriber id", "", { messageId: "m1", markAs: "read" }, "subscriberId"],
    ["a dot segment", "..", { messageId: "m1", markAs: "read" }, "subscriberId"],
    ["half a character", "\uD800", { messageId: "m1", markAs: "read" }, "subscriberId"]
  ] as const) {
    it.effect(`refuses ${name}`, function* () {
      const transport = makeTransport(answer)
      // A caller without types.
      const error = yield* Messages.use((messages) => messages.markAs(subscriberId, input as MarkAsInput)).pipe(
        Effect.flip,
        Effect.provide(clientLayer(transport))
      )
      assert.strictEqual(error.reason._tag === "InvalidRequest" && error.reason.fields[0]?.path, path)
      assert.strictEqual(transport.sent.length, 0)
    })
  }
})

describe("an API key that takes its time", () => {
  it.effect("is read after the input is checked, and never for invalid input", function* () {
    const transport = makeTransport(answer)
    const key = yield* Deferred.make<Redacted.Redacted<string>>()
    let reads = 0
    const apiKey = Effect.suspend(() => {
      reads++
      return Deferred.await(key)
    })
    const messageId = ["m1"]
    const mark = (input: MarkAsInput) =>
      Messages.use((messages) => messages.markAs("user-7", input)).pipe(
        Effect.provide(clientLayer(transport, { apiKey }))
      )
    // A caller without types.
    const wrong = yield* Effect.flip(mark({ messageId, markAs: "opened" as "read" }))
    assert.deepStrictEqual([wrong.reason._tag, reads], ["InvalidRequest", 0])
    const fiber = yield* fork(mark({ messageId, markAs: "read" }))
    assert.strictEqual(reads, 1)
    messageId.push("m2")
    yield* Deferred.succeed(key, Redacted.make("key"))
    yield* Fiber.join(fiber)
    assert.deepStrictEqual(transport.sent.map(idsIn), [["m1"]])
  })
})

describe("markManyAs", () => {
  it.effect("marks chunks of 100 and returns the identifiers that no response contained", function* () {
    const transport = makeTransport((sent) =>
      Response.json(
        idsIn(sent)
          .filter((id) => id !== "m7" && id !== "m249")
          .map(message),
        { status: 201 }
      )
    )
    const result = yield* Messages.use((messages) => messages.markManyAs("user-7", [...ids(250), "m0"], "read")).pipe(
      Effect.provide(clientLayer(transport))
    )
    assert.deepStrictEqual(
      transport.sent.map((sent) => idsIn(sent).length),
      [100, 100, 50]
    )
    assert.strictEqual(result.messages.length, 248)
    assert.deepStrictEqual(result.notReturned, ["m7", "m249"])
    assert.strictEqual(new Set(transport.sent.map(({ headers }) => headers.get("idempotency-key"))).size, 3)
  })
  const keysOf = Effect.fnUntraced(function* (key: string, count: number) {
    const transport = makeTransport(answer)
    yield* Messages.use((messages) => messages.markManyAs("user-7", ids(count), "read")).pipe(
      Effect.provideService(IdempotencyPolicy.IdempotencyPolicy, IdempotencyPolicy.fixed(key)),
      Effect.ignore,
      Effect.provide(clientLayer(transport))
    )
    return transport.sent.map(({ headers }) => headers.get("idempotency-key"))
  })
  it.effect("a fixed key is that of the first call, and others follow from it", function* () {
    assert.deepStrictEqual(yield* keysOf("order-81", 250), ["order-81", "order-81/1", "order-81/2"])
  })
  it.effect("a fixed key of 255 characters too, although nothing fits behind it", function* () {
    const key = "x".repeat(255)
    const keys = yield* keysOf(key, 250)
    assert.strictEqual(keys[0], key)
    assert.strictEqual(new Set(keys).size, 3)
    for (const other of keys.slice(1)) assert.match(other ?? "", /^[0-9a-f]{64}$/)
    // Keys that are derived come in any order.
    assert.sameMembers(yield* keysOf(key, 250), keys)
    assert.notIncludeMembers(yield* keysOf(`${key.slice(1)}y`, 250), keys.slice(1))
  })
  it.effect("a fixed key that cannot be sent is refused before any call", function* () {
    assert.deepStrictEqual(yield* keysOf("x".repeat(256), 250), [])
  })
  it.effect("dies on a concurrency that is not valid", function* () {
    const transport = makeTransport(answer)
    for (const concurrency of [0, 1.5, Number.NaN, Infinity]) {
      const exit = yield* Messages.use((messages) =>
        messages.markManyAs("user-7", ids(1), "read", { concurrency })
      ).pipe(Effect.exit, Effect.provide(clientLayer(transport)))
      assert.include(
        Exit.isFailure(exit) && Cause.pretty(exit.cause),
        "RangeError: concurrency: must be a whole number of at least 1"
      )
    }
    assert.strictEqual(transport.sent.length, 0)
  })
  it.effect("sends nothing where one identifier is no string", function* () {
    const transport = makeTransport(answer)
    let report: MarkManyReport | undefined
    // A caller without types.
    const wrong = [...ids(150), 7 as unknown as string]
    const error = yield* Messages.use((messages) =>
      messages.markManyAs("user-7", wrong, "read", { onEnd: (end) => (report = end) })
    ).pipe(Effect.flip, Effect.provide(clientLayer(transport)))
    assert.lengthOf(error.errors, 1)
    assert.strictEqual(error.errors[0].reason._tag, "InvalidRequest")
    assert.deepStrictEqual(report, { done: [], failed: ids(150), notTried: [] })
    assert.isEmpty(transport.sent)
  })
  it.effect("accepts one identifier, and starts four calls at the same time", function* () {
    const one = makeTransport(answer)
    const result = yield* Messages.use((messages) => messages.markManyAs("user-7", "m1", "read")).pipe(
      Effect.provide(clientLayer(one))
    )
    assert.deepStrictEqual(result.notReturned, [])
    assert.deepStrictEqual(one.sent.map(idsIn), [["m1"]])
    const many = makeTransport(() => "never")
    const fiber = yield* fork(
      Messages.use((messages) => messages.markManyAs("user-7", ids(900), "read")).pipe(
        Effect.provide(clientLayer(many))
      )
    )
    const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    while (many.sent.length < 4) yield* turn
    yield* Effect.repeat(turn, { times: 5 })
    assert.lengthOf(many.sent, 4)
    yield* Fiber.interrupt(fiber)
  })
  it.effect("sends nothing for nothing", function* () {
    const transport = makeTransport(answer)
    const result = yield* Messages.use((messages) => messages.markManyAs("user-7", [], "read")).pipe(
      Effect.provide(clientLayer(transport))
    )
    assert.deepStrictEqual(result, { messages: [], notReturned: [] })
    assert.strictEqual(transport.sent.length, 0)
  })
  it.effect("a failing chunk reports the messages that were marked, failed and not tried", function* () {
    const transport = makeTransport((sent, number) =>
      number === 2 ? new Response(null, { status: 404 }) : answer(sent)
    )
    const error = yield* Messages.use((messages) =>
      messages.markManyAs("user-7", ids(350), "read", { concurrency: 1 })
    ).pipe(Effect.flip, Effect.provide(clientLayer(transport)))
    assert.deepStrictEqual(error.done, ids(100))
    assert.deepStrictEqual(error.failed, ids(200).slice(100))
    assert.deepStrictEqual(error.notTried, ids(350).slice(200))
    assert.strictEqual(error.errors[0]?.reason._tag, "NotFound")
    assert.include(error.message, "100 of 350 messages were marked")
    assert.deepStrictEqual(
      error.messages.map(({ _id }) => _id),
      ids(100)
    )
    assert.strictEqual(error.errorOf(ids(101)[100] ?? ""), error.errors[0])
    assert.isUndefined(error.errorOf(ids(1)[0] ?? ""))
    assert.notProperty(JSON.parse(JSON.stringify(error)), "messages")
    const [first] = error.errors
    assert.deepInclude<object>(error, {
      operation: "messages.markAs",
      status: 404,
      idempotencyKey: first?.idempotencyKey
    })
    assert.isString(error.idempotencyKey)
    assert.deepStrictEqual(error.attempts, first?.attempts)
    assert.lengthOf(error.attempts, 1)
    const { reason } = error.toJSON()
    assert.strictEqual(Object.getPrototypeOf(reason), Object.prototype)
  })
  it.effect("never reports that none were marked where some may have been", function* () {
    const messageAfter = (failure: () => Response, failing: number) =>
      Effect.gen(function* () {
        const transport = makeTransport((sent, number) => (number >= failing ? failure() : answer(sent)))
        const { message } = yield* Messages.use((messages) =>
          messages.markManyAs("user-7", ids(250), "read", { concurrency: 1 })
        ).pipe(
          Effect.flip,
          Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none),
          Effect.provide(clientLayer(transport))
        )
        return message
      })
    const lost = () => new Response(null, { status: 502 })
    assert.match(yield* messageAfter(lost, 1), /^100 of 250 messages may have been marked\. messages\.markAs /u)
    assert.match(
      yield* messageAfter(lost, 2),
      /^100 of 250 messages were marked, and 100 more may have been\. messages\.markAs /u
    )
    const refused = () => new Response(null, { status: 404 })
    assert.match(yield* messageAfter(refused, 1), /^0 of 250 messages were marked\. /u)
    const unreadable = () => Response.json({}, { status: 201 })
    assert.match(yield* messageAfter(unreadable, 1), /^100 of 250 messages were marked\. /u)
  })
  it.effect("an interruption reports it too", function* () {
    const transport = makeTransport((sent, number) => (number === 2 ? "never" : answer(sent)))
    let report: MarkManyReport | undefined
    const fiber = yield* fork(
      Messages.use((messages) =>
        messages.markManyAs("user-7", ids(250), "read", {
          concurrency: 1,
          onEnd: (end) => {
            report = end
          }
        })
      ).pipe(Effect.provide(clientLayer(transport)))
    )
    while (transport.sent.length < 2) yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    yield* Fiber.interrupt(fiber)
    assert.deepStrictEqual(report, {
      done: ids(100),
      failed: ids(200).slice(100),
      notTried: ids(250).slice(200)
    })
    assert.deepStrictEqual(transport.aborted, [2])
  })
})
