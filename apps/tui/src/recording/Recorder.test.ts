import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import { Credentials } from "@signalbox/core/Credentials"
import { Events } from "@signalbox/core/Events"
import * as HttpClientTransport from "@signalbox/core/HttpClientTransport"
import { Transport, TransportError, type TransportRequest, type TransportResponse } from "@signalbox/core/Transport"
import { assert, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { layer as fakeLayer } from "@signalbox/test-harness/effect"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { makeRecorder } from "./Recorder.ts"
import { type Exchange, formatExchange } from "./Recording.ts"

const apiKey = "key-1f7a9b3c"
const token = "device-token-77ab90ff"
const hook = "https://hooks.example.test/services/T0/B0/K7q2x9"

const request: TransportRequest = {
  method: "PATCH",
  url: "https://api.example.com/v1/subscribers/ana/credentials",
  headers: { authorization: `ApiKey ${apiKey}`, "content-type": "application/json" },
  body: JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: [token], webhookUrl: hook } })
}

const responseOf = (text: string): TransportResponse => ({ status: 200, headers: {}, text })

/** Sends requests, each with its response, and returns what was recorded. */
const recording = (
  sent: ReadonlyArray<readonly [TransportRequest, TransportResponse | TransportError]>,
  hide: (value: unknown) => unknown = (value) => value
) =>
  Effect.gen(function* () {
    const recorder = makeRecorder()
    const kept: Array<Exchange> = []
    const outcomes = sent.map(([, outcome]) => outcome)
    const below = Layer.succeed(Transport, {
      send: () => {
        const outcome = outcomes.shift()
        assert(outcome !== undefined)
        return outcome instanceof TransportError ? Effect.fail(outcome) : Effect.succeed(outcome)
      }
    })
    recorder.start({ startedAt: 0, keep: (exchange) => Effect.sync(() => void kept.push(exchange)), hide })
    const { send } = yield* Effect.provide(Transport, recorder.layer.pipe(Layer.provide(below)))
    for (const [one] of sent) yield* Effect.exit(send(one))
    return kept
  })

const fileOf = (exchanges: ReadonlyArray<Exchange>): string => exchanges.map(formatExchange).join("")

const secrets = [apiKey, token, hook, "hooks.example.test", "K7q2x9"]

const assertNoSecret = (text: string): void => {
  for (const secret of secrets) assert.notInclude(text, secret)
}

describe("a recorder", () => {
  it.effect("keeps method, target, status, the body as JSON and the headers that matter, without secrets", () =>
    Effect.gen(function* () {
      const response = {
        status: 200,
        headers: { "x-request-id": "req-1", "set-cookie": "session=abc", "ratelimit-remaining": "0" },
        text: JSON.stringify({
          data: { channels: [{ providerId: "fcm", credentials: { deviceTokens: [token, "b"] } }] }
        })
      }
      const [exchange] = yield* recording([[request, response]])
      assert.deepStrictEqual(exchange?.request, {
        method: "PATCH",
        target: "/v1/subscribers/ana/credentials",
        body: { providerId: "fcm", credentials: { deviceTokens: ["<redacted>"], webhookUrl: "<redacted>" } }
      })
      assert(exchange?.outcome._tag === "Response")
      assert.deepStrictEqual(exchange.outcome.headers, { "x-request-id": "req-1" })
      // A list of tokens stays a list, so that the response still reads.
      assert.deepStrictEqual(JSON.parse(exchange.outcome.text), {
        data: { channels: [{ providerId: "fcm", credentials: { deviceTokens: ["<redacted>", "<redacted>"] } }] }
      })
    })
  )
  it.effect("keeps failures without their secrets", () =>
    Effect.gen(function* () {
      const cause = new TypeError("fetch failed", {
        cause: Object.assign(new Error(`connect to ${hook} with ${apiKey}`), {
          code: "ECONNREFUSED",
          syscall: "connect"
        })
      })
      const exchanges = yield* recording([[request, new TransportError({ cause, partial: undefined })]])
      assert.deepInclude(exchanges[0]?.outcome, { _tag: "Failure", code: "ECONNREFUSED", syscall: "connect" })
      assertNoSecret(fileOf(exchanges))
    })
  )
  it.effect("keeps the innermost cause that has a code, else the innermost one", () =>
    Effect.gen(function* () {
      const coded = Object.assign(new Error("refused"), { code: "ECONNREFUSED" })
      const nested = (depth: number): Error =>
        depth === 0 ? coded : new Error(`level ${depth}`, { cause: nested(depth - 1) })
      const outcomes: ReadonlyArray<readonly [unknown, object]> = [
        [nested(1), { code: "ECONNREFUSED", message: "refused" }],
        [nested(6), { code: "ECONNREFUSED", message: "refused" }],
        [nested(8), { message: "level 2" }],
        [new AggregateError([coded, new Error("other")], "all failed"), { code: "ECONNREFUSED", message: "refused" }],
        [{ reason: coded }, { code: "ECONNREFUSED", message: "refused" }],
        [new Error("closed", { cause: "a string" }), { message: "closed" }],
        ["a string", {}],
        [null, {}]
      ]
      for (const [cause, kept] of outcomes) {
        const error = new TransportError({ cause, partial: undefined })
        const [exchange] = yield* recording([[request, error]])
        assert.deepStrictEqual(exchange?.outcome, { _tag: "Failure", ...kept })
      }
    })
  )
  it.effect("keeps what is known of the delivery, which is unknown once a response has started", () =>
    Effect.gen(function* () {
      const deliveries: Array<unknown> = []
      for (const error of [
        new TransportError({ cause: null, partial: undefined, delivery: "not-sent" }),
        new TransportError({ cause: null, partial: { status: 200, headers: {} }, delivery: "not-sent" })
      ]) {
        const [exchange] = yield* recording([[request, error]])
        deliveries.push(exchange?.outcome)
      }
      assert.deepStrictEqual(deliveries, [
        { _tag: "Failure", delivery: "not-sent" },
        { _tag: "Failure", delivery: "unknown" }
      ])
    })
  )
  it.effect("hides what its target hides, in queries, bodies and responses", () =>
    Effect.gen(function* () {
      const hide = (value: unknown): unknown => JSON.parse(JSON.stringify(value).replaceAll("ana@example.test", "•••"))
      const list: TransportRequest = {
        method: "GET",
        url: "https://api.example.com/v1/notifications?emails=ana%40example.test&page=0",
        headers: {},
        body: undefined
      }
      const exchanges = yield* recording([[list, responseOf('{"email":"ana@example.test"}')]], hide)
      assert.notInclude(fileOf(exchanges), "ana")
    })
  )
  it.effect("remembers the secrets of requests from before it was started", () =>
    Effect.gen(function* () {
      const recorder = makeRecorder()
      const kept: Array<Exchange> = []
      const echo = responseOf(JSON.stringify({ raw: `token ${token} refused` }))
      const below = Layer.succeed(Transport, { send: () => Effect.succeed(echo) })
      const { send } = yield* Effect.provide(Transport, recorder.layer.pipe(Layer.provide(below)))
      yield* send(request)
      assert.isEmpty(kept)
      recorder.start({ startedAt: 0, keep: (one) => Effect.sync(() => void kept.push(one)), hide: (value) => value })
      yield* send({ method: "GET", url: "https://api.example.com/v1/notifications", headers: {}, body: undefined })
      recorder.stop()
      yield* send(request)
      assert.lengthOf(kept, 1)
      assertNoSecret(fileOf(kept))
    })
  )
  it.effect("records real calls of every operation without secrets", () =>
    Effect.gen(function* () {
      const fake = createFake({ data: "demo", seed: 3 })
      const recorder = makeRecorder()
      const kept: Array<Exchange> = []
      recorder.start({ startedAt: 0, keep: (one) => Effect.sync(() => void kept.push(one)), hide: (value) => value })
      const transport = recorder.layer.pipe(Layer.provide(HttpClientTransport.layer), Layer.provide(fakeLayer(fake)))
      const client = Client.layerNoDeps.pipe(
        Layer.provide(transport),
        Layer.provide(Connection.layer({ apiKey: fake.apiKey, baseUrl: fake.baseUrl }))
      )
      yield* Effect.gen(function* () {
        const [first] = (yield* Events.use((events) => events.list({ limit: 50 }))).data
        const id = first?.subscriber?.subscriberId ?? ""
        const stored = { providerId: "slack", credentials: { webhookUrl: hook } } as const
        yield* Credentials.use((credentials) => credentials.upsert(id, stored))
        yield* Events.use((events) => events.list({ subscriberIds: [id] }))
      }).pipe(Effect.provide(client))
      assert.lengthOf(kept, 3)
      assert.notInclude(fileOf(kept), fake.apiKey)
      assertNoSecret(fileOf(kept))
    })
  )

  const place = Schema.Literals(["value", "key", "list", "inside JSON", "sentence", "text body", "header"])
  const kinds = Schema.Literals(["apiKey", "token", "hook"])
  const chosen = { apiKey, token, hook }

  it.effect.prop(
    "lets no secret into the file, wherever the service puts it",
    [Schema.Array(Schema.Tuple([place, kinds, Schema.String])), Schema.Json],
    ([echoes, rest]) =>
      Effect.gen(function* () {
        const sent = echoes.map(([where, kind, around]) => {
          const secret = chosen[kind]
          const bodies = {
            value: JSON.stringify({ rest, detail: secret }),
            key: JSON.stringify({ [secret]: around, rest }),
            list: JSON.stringify([rest, [secret, [around]]]),
            "inside JSON": JSON.stringify({ raw: JSON.stringify({ body: JSON.stringify({ echoed: secret }) }) }),
            sentence: JSON.stringify({ detail: `${around} ${secret} ${around}`, rest }),
            "text body": `<p>${secret}</p>`,
            header: "{}"
          }
          const headers = where === "header" ? { "x-request-id": secret } : {}
          return [request, { status: 200, headers, text: bodies[where] }] as const
        })
        assertNoSecret(fileOf(yield* recording(sent)))
      })
  )
})
