import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { TestClock } from "effect/testing"
import { fork, clientLayer, makeTransport } from "../../test/transport/Transport.ts"
import { Drift } from "../policies/Drift.ts"
import * as IdempotencyPolicy from "../policies/IdempotencyPolicy.ts"
import { ResponsePolicy } from "../policies/Policies.ts"
import * as RetryPolicy from "../policies/RetryPolicy.ts"
import * as Timeouts from "../policies/Timeouts.ts"
import { Calls } from "../services/Calls.ts"
import { withInfo } from "./CallInfo.ts"
import { type DeclaredOperation, defineOperation } from "./DeclaredOperation.ts"

const standard = Schema.toStandardSchemaV1

const declaration = {
  name: "events.trigger",
  method: "POST",
  path: "/v1/events/trigger",
  input: standard(
    Schema.Struct({
      body: Schema.Struct({ name: Schema.String, to: Schema.String, token: Schema.optionalKey(Schema.String) })
    })
  ),
  output: standard(Schema.Struct({ transactionId: Schema.String })),
  secrets: ["body.token"]
} as const

const trigger = defineOperation(declaration)

const find = defineOperation({
  name: "subscribers.find",
  method: "GET",
  path: "/v1/subscribers/:subscriberId",
  input: standard(
    Schema.Struct({
      path: Schema.Struct({ subscriberId: Schema.String }),
      query: Schema.optionalKey(Schema.Struct({ fields: Schema.Array(Schema.String) }))
    })
  )
})

interface Page {
  readonly data: ReadonlyArray<{ readonly id: string }>
  readonly next?: number | undefined
}

const list = defineOperation({
  name: "topics.list",
  method: "GET",
  path: "/v1/topics",
  output: standard(
    Schema.Struct({
      data: Schema.Array(Schema.Struct({ id: Schema.String })),
      next: Schema.optionalKey(Schema.Finite)
    })
  ),
  paginate: ({ next }) => (next === undefined ? undefined : { query: { page: next } })
})

const input = { body: { name: "welcome", to: "user-7" } }

const accepted = () => Response.json({ data: { transactionId: "t1" } }, { status: 201 })

type Respond = Parameters<typeof makeTransport>[0]

/** Runs calls over responses, and returns what was sent, too. */
const run = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E, Calls>, respond: Respond) {
  const transport = makeTransport(respond)
  const exit = yield* Effect.exit(effect.pipe(Effect.provide(clientLayer(transport))))
  return { exit, sent: transport.sent, result: yield* Effect.result(exit) }
})

const call = <Input, Output>(operation: DeclaredOperation<Input, Output>, own: Input) =>
  // Every input of these tests is given.
  Calls.use((calls) => calls.call(operation, own as never))

const failed = () => new Response(null, { status: 503 })

const atOnce = Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.make({ baseDelay: 0 }))

describe("a call of a declared operation", () => {
  it.effect("sends its parts with a key, and returns the unwrapped response as its schema does", function* () {
    const { result, sent } = yield* run(call(trigger, input), accepted)
    assert.deepInclude(result, { success: { transactionId: "t1" } })
    const [request] = sent
    assert.strictEqual(request?.method, "POST")
    assert.strictEqual(request?.url.pathname, "/v1/events/trigger")
    assert.deepStrictEqual(request?.body, input.body)
    assert.match(request?.headers.get("idempotency-key") ?? "", /^[0-9a-f-]{36}$/)
  })
  it.effect("encodes path parameters and lists in the query", function* () {
    const own = { path: { subscriberId: "a/b" }, query: { fields: ["id", "name"] } }
    const { sent } = yield* run(call(find, own), () => Response.json({}))
    assert.strictEqual(sent[0]?.url.pathname, "/v1/subscribers/a%2Fb")
    assert.strictEqual(sent[0]?.url.search, "?fields=id&fields=name")
  })
  it.effect("rejects an input that its schema rejects, and sends nothing", function* () {
    // Callers without types can pass anything.
    const wrong = { body: { name: 7 } } as never
    const { exit, sent } = yield* run(Effect.flip(call(trigger, wrong)), accepted)
    assert.lengthOf(sent, 0)
    if (exit._tag !== "Success") throw new Error("expected an error")
    assert.deepInclude(exit.value, { _tag: "CallError", operation: "events.trigger", mayHaveBeenApplied: false })
    const { reason } = exit.value
    if (reason._tag !== "InvalidRequest") throw new Error(reason._tag)
    assert.deepStrictEqual(
      reason.fields.map(({ path }) => path),
      ["body.name", "body.to"]
    )
  })
  it.effect("rejects path parameters of a path without any", function* () {
    const open = defineOperation({ name: "topics.list", method: "GET", path: "/v1/topics" })
    // Callers without types can pass anything.
    const { exit, sent } = yield* run(Effect.flip(call(open, { path: { id: "a" } } as never)), accepted)
    assert.lengthOf(sent, 0)
    if (exit._tag !== "Success" || exit.value.reason._tag !== "InvalidRequest") throw new Error("expected issues")
    assert.deepStrictEqual(exit.value.reason.fields, [{ path: "path", rule: "Expected one of the parts query" }])
  })
  for (const [what, wrong, path] of [
    ["a dot segment", { path: { subscriberId: ".." } }, "path.subscriberId"],
    ["half of a surrogate pair", { path: { subscriberId: "\ud83d" } }, "path.subscriberId"],
    ["no path parameter", { path: {} }, "path.subscriberId"],
    ["an object as a query parameter", { path: { subscriberId: "a" }, query: { where: {} } }, "query.where"],
    ["a body for a GET", { path: { subscriberId: "a" }, body: {} }, "body"],
    ["an unknown part", { path: { subscriberId: "a" }, params: {} }, "params"]
  ] as const) {
    it.effect(`rejects ${what} without a schema`, function* () {
      const open = defineOperation({ name: "shelves.get", method: "GET", path: "/v1/shelves/:subscriberId" })
      // Callers without types can pass anything.
      const { exit, sent } = yield* run(Effect.flip(call(open, wrong as never)), accepted)
      assert.lengthOf(sent, 0)
      if (exit._tag !== "Success" || exit.value.reason._tag !== "InvalidRequest") throw new Error("expected issues")
      assert.deepStrictEqual(
        exit.value.reason.fields.map((field) => field.path),
        [path]
      )
    })
  }
  for (const [what, body] of [
    ["a map", new Map()],
    ["a number that JSON does not have", { amount: Number.NaN }],
    ["a large integer", { amount: 1n }]
  ] as const) {
    it.effect(`rejects a body with ${what}`, function* () {
      const open = defineOperation({ name: "open.post", method: "POST", path: "/v1/open" })
      const { exit } = yield* run(Effect.flip(call(open, { body })), accepted)
      if (exit._tag !== "Success") throw new Error("expected an error")
      assert.strictEqual(exit.value.reason.message, "body: Expected JSON")
    })
  }
  it.effect("shows no declared secret in its error, not even one that the service echoes", function* () {
    const secret = "p4ss-phrase-of-the-device"
    const { exit } = yield* run(Effect.flip(call(trigger, { body: { ...input.body, token: secret } })), () =>
      Response.json({ message: `bad token ${secret}` }, { status: 400 })
    )
    if (exit._tag !== "Success") throw new Error("expected an error")
    assert.include(exit.value.message, "bad token <redacted>")
    assert.notInclude(JSON.stringify(exit.value), secret)
  })
  it.effect("shows no secret in its error that a name tells, without a declaration", function* () {
    const secret = "p4ss-phrase-of-the-device"
    const { exit } = yield* run(
      Effect.flip(
        Effect.flatMap(Calls, ({ request }) => request("PATCH", "/v1/devices", { body: { deviceTokens: [secret] } }))
      ),
      () => Response.json({ message: `bad device ${secret}` }, { status: 400 })
    )
    assert.strictEqual(exit._tag, "Success")
    if (exit._tag === "Success") assert.notInclude(JSON.stringify(exit.value), secret)
  })
  it.effect("shows no declared secret that its schema quotes", function* () {
    const secret = "p4ss-phrase-of-the-device"
    const quoting = defineOperation({
      name: "devices.add",
      method: "POST",
      path: "/v1/devices",
      input: {
        "~standard": {
          version: 1,
          vendor: "test",
          validate: (value: unknown) => ({ issues: [{ message: `was ${JSON.stringify(value)}`, path: ["body"] }] })
        }
      },
      secrets: ["body.devices.*"]
    })
    const { exit } = yield* run(
      Effect.flip(call(quoting, { body: { devices: [{ token: secret }] } } as never)),
      accepted
    )
    if (exit._tag !== "Success") throw new Error("expected an error")
    assert.notInclude(exit.value.message, secret)
  })
})

describe("a retry of a declared operation", () => {
  it.effect("is made for a read", function* () {
    const { sent } = yield* run(call(list, {}).pipe(atOnce), failed)
    assert.lengthOf(sent, 3)
  })
  it.effect("is not made for a write that may have been applied", function* () {
    const { exit, sent } = yield* run(Effect.flip(call(trigger, input)).pipe(atOnce), failed)
    assert.lengthOf(sent, 1)
    if (exit._tag !== "Success") throw new Error("expected an error")
    assert.include(exit.value.message, "Not retried: a retry could apply it twice.")
    assert.isTrue(exit.value.mayHaveBeenApplied)
  })
  it.effect("is made for a write that is declared idempotent", function* () {
    const { sent } = yield* run(call(defineOperation({ ...declaration, idempotent: true }), input).pipe(atOnce), failed)
    assert.lengthOf(sent, 3)
  })
  it.effect("is made with the same key where the service honours keys", function* () {
    const { sent } = yield* run(
      call(trigger, input).pipe(
        atOnce,
        Effect.provideService(
          IdempotencyPolicy.IdempotencyPolicy,
          IdempotencyPolicy.serviceHonoursKeys(IdempotencyPolicy.random)
        )
      ),
      failed
    )
    assert.lengthOf(sent, 3)
    assert.strictEqual(new Set(sent.map(({ headers }) => headers.get("idempotency-key"))).size, 1)
  })
  it.effect("is not made where the declaration turns retries off", function* () {
    const { sent } = yield* run(call({ ...list, retry: false }, {}).pipe(atOnce), failed)
    assert.lengthOf(sent, 1)
  })
})

describe("the policies of a declared operation", () => {
  const patient = RetryPolicy.layer(RetryPolicy.make({ baseDelay: 0, maxRetries: 5 }))
  const runIn = Effect.fnUntraced(function* <A, E>(effect: Effect.Effect<A, E, Calls>) {
    const transport = makeTransport(failed)
    yield* Effect.exit(effect.pipe(Effect.provide(clientLayer(transport).pipe(Layer.provide(patient)))))
    return transport.sent.length
  })
  it.effect("are those with which its client was made", function* () {
    assert.strictEqual(yield* runIn(call(list, {})), 6)
  })
  it.effect("are those of a call, where it has some", function* () {
    const once = call(list, {}).pipe(Effect.provideService(RetryPolicy.RetryPolicy, RetryPolicy.none))
    assert.strictEqual(yield* runIn(once), 1)
  })
  it.effect("are changed by its declaration", function* () {
    assert.strictEqual(yield* runIn(call({ ...list, retry: { maxRetries: 3 } }, {})), 4)
    assert.strictEqual(yield* runIn(call({ ...list, retry: { baseDelayMs: 0 } }, {})), 6)
    assert.strictEqual(yield* runIn(call({ ...list, retry: false }, {})), 1)
  })
})

describe("a response to a declared operation", () => {
  const page = { data: [{ id: "a" }, { id: 7 }, { id: "c" }] }
  it.effect("loses the elements that its schema rejects, which are reported as drift", function* () {
    const reports: Array<string> = []
    const { exit } = yield* run(
      withInfo(call(list, {})).pipe(
        Effect.provideService(Drift, {
          report: ({ entries, operation }) =>
            Effect.sync(() => entries.forEach(({ kind, path }) => reports.push(`${operation} ${path} ${kind}`)))
        })
      ),
      () => Response.json(page)
    )
    if (exit._tag !== "Success") throw new Error("expected a page")
    assert.deepStrictEqual(exit.value.value.data, [{ id: "a" }, { id: "c" }])
    assert.deepStrictEqual(reports, ["topics.list data[1] unreadable"])
    assert.deepStrictEqual(
      exit.value.call.unreadable.map(({ raw }) => raw),
      [{ id: 7 }]
    )
  })
  it.effect("fails as a whole in strict mode", function* () {
    const { exit } = yield* run(Effect.flip(call(list, {})).pipe(Effect.provideService(ResponsePolicy, "strict")), () =>
      Response.json(page)
    )
    if (exit._tag !== "Success" || exit.value.reason._tag !== "MalformedResponse") throw new Error("expected issues")
    assert.deepStrictEqual(
      exit.value.reason.fields?.map(({ path }) => path),
      ["data[1].id"]
    )
  })
  it.effect.each<readonly [unknown, string]>([
    [{ ok: 1 }, "The change was accepted; do not retry."],
    [{ success: false, error: "no such workflow" }, "Check the base URL: another server may have responded."],
    [{ data: null, errors: ["boom"] }, "Check the base URL: another server may have responded."]
  ])(
    "whose body its schema rejects reports that the write was accepted, unless it has an error: %j",
    ([body, advice]) =>
      Effect.gen(function* () {
        const { exit, sent } = yield* run(Effect.flip(call(trigger, input)).pipe(atOnce), () => Response.json(body))
        assert.lengthOf(sent, 1)
        if (exit._tag !== "Success") throw new Error("expected an error")
        assert.include(exit.value.message, advice)
        assert.isTrue(exit.value.mayHaveBeenApplied)
      })
  )
  it.effect("without a body is undefined where nothing else is declared", function* () {
    const remove = defineOperation({ name: "topics.delete", method: "DELETE", path: "/v1/topics/:topicKey" })
    const { result } = yield* run(
      call(remove, { path: { topicKey: "news" } }),
      () => new Response(null, { status: 204 })
    )
    assert.deepInclude(result, { success: undefined })
  })
  it.effect("is read by a schema that takes its time, within the call's deadline", function* () {
    const slow = defineOperation({
      name: "slow.read",
      method: "POST",
      path: "/v1/slow",
      output: { "~standard": { version: 1, vendor: "test", validate: () => new Promise<never>(() => {}) } }
    })
    const fiber = yield* fork(
      run(
        Effect.flip(call(slow, {})).pipe(Effect.provideService(Timeouts.Timeouts, Timeouts.make({ call: 500 }))),
        () => Response.json({})
      )
    )
    while (fiber.pollUnsafe() === undefined) yield* TestClock.adjust("100 millis")
    const { exit } = yield* Fiber.join(fiber)
    if (exit._tag !== "Success") throw new Error("expected an error")
    assert.include(exit.value.message, "not checked within 500 ms")
    assert.include(exit.value.message, "The change was accepted; do not retry.")
  })
})

describe("the pages of a declared operation", () => {
  it.effect("are those that paginate leads to", function* () {
    const pages: ReadonlyArray<Page> = [{ data: [{ id: "a" }], next: 1 }, { data: [{ id: "b" }] }]
    const { exit, sent } = yield* run(
      Calls.use((calls) => Stream.runCollect(calls.pages(list))),
      (request) => Response.json(pages[Number(request.url.searchParams.get("page") ?? 0)])
    )
    if (exit._tag !== "Success") throw new Error("expected pages")
    assert.deepStrictEqual([...exit.value], pages)
    assert.deepStrictEqual(
      sent.map(({ url }) => url.search),
      ["", "?page=1"]
    )
  })
})

describe("a one-off request", () => {
  it.effect("returns the JSON of the response, unchanged", function* () {
    const { result, sent } = yield* run(
      Calls.use((calls) => calls.request("PUT", "/v2/topics/a%20b", { query: { dry: true }, body: { name: "news" } })),
      accepted
    )
    assert.deepInclude(result, { success: { data: { transactionId: "t1" } } })
    assert.strictEqual(sent[0]?.url.href.replace(/^.*\/v2/, "/v2"), "/v2/topics/a%20b?dry=true")
  })
  it.effect("is not sent to a path that a URL parser changes", function* () {
    const { exit, sent } = yield* run(
      Effect.flip(Calls.use((calls) => calls.request("GET", "/v1/subscribers/../topics"))),
      accepted
    )
    assert.lengthOf(sent, 0)
    if (exit._tag !== "Success") throw new Error("expected an error")
    assert.deepInclude(exit.value, { operation: "client.request" })
    assert.strictEqual(exit.value.reason.message, "path: Expected an encoded path, no query")
  })
})
