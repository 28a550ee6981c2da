import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { apiKey, clientLayer, makeTransport, page } from "../../test/transport/Transport.ts"
import { Credentials } from "../services/Credentials.ts"
import { Events } from "../services/Events.ts"
import * as IdempotencyPolicy from "../policies/IdempotencyPolicy.ts"
import { Transport, type TransportRequest } from "../transport/Transport.ts"
import { fillPath } from "../contract/PathTemplate.ts"
import { queryOf } from "./BuildRequest.ts"
import { unencodableIn } from "./WiredOperation.ts"

const fixed = Effect.provideService(IdempotencyPolicy.IdempotencyPolicy, IdempotencyPolicy.fixed("the-key"))
const off = Effect.provideService(IdempotencyPolicy.IdempotencyPolicy, IdempotencyPolicy.off)

const list = Events.use((events) => events.list())
const upsert = Credentials.use((credentials) =>
  credentials.upsert("user/7", { providerId: "fcm", credentials: { deviceTokens: ["token-one"] } })
)

/** The only request of a call, over a connection with additional headers. */
const requestOf = Effect.fnUntraced(function* (
  call: Effect.Effect<unknown, unknown, Events | Credentials>,
  headers: Readonly<Record<string, string>>
) {
  const transport = makeTransport(() => Response.json(page(), { status: 400 }))
  yield* Effect.ignore(call).pipe(Effect.provide(clientLayer(transport, { headers })))
  assert.strictEqual(transport.sent.length, 1)
  const [sent] = transport.sent
  return { ...sent, headers: Object.fromEntries(sent?.headers.entries() ?? []) }
})

describe("a request", () => {
  it.effect("that writes has its body, its key and the headers of the connection", function* () {
    const request = yield* requestOf(fixed(upsert), { "x-team": "blue" })
    assert.strictEqual(request.method, "PATCH")
    assert.strictEqual(request.url?.pathname, "/v1/subscribers/user%2F7/credentials")
    assert.deepStrictEqual(request.body, { providerId: "fcm", credentials: { deviceTokens: ["token-one"] } })
    assert.deepStrictEqual(request.headers, {
      accept: "application/json",
      authorization: `ApiKey ${apiKey}`,
      "content-type": "application/json",
      "idempotency-key": "the-key",
      "x-team": "blue"
    })
  })
  it.effect("that reads has no body, and no key when keys are off", function* () {
    const request = yield* requestOf(off(list), {})
    assert.strictEqual(request.method, "GET")
    assert.isUndefined(request.body)
    assert.deepStrictEqual(request.headers, { accept: "application/json", authorization: `ApiKey ${apiKey}` })
  })
})

describe("the query of a request", () => {
  const several = { channels: ["email", "push"] }
  const spelled = (...names: ReadonlyArray<string>) =>
    `?${names.map((name, at) => `${encodeURIComponent(name)}=${several.channels[at]}`).join("&")}`
  it("encodes arrays as the connection configures", () => {
    assert.strictEqual(queryOf(several, "repeat"), spelled("channels", "channels"))
    assert.strictEqual(queryOf(several, "brackets"), spelled("channels[]", "channels[]"))
    assert.strictEqual(queryOf(several, "indices"), spelled("channels[0]", "channels[1]"))
    assert.strictEqual(queryOf(several, "comma"), "?channels=email%2Cpush")
  })
  for (const encoding of ["repeat", "brackets", "indices", "comma"] as const) {
    it(`sends an empty list as an empty value (${encoding})`, () => {
      assert.strictEqual(queryOf({ contextKeys: [] }, encoding), "?contextKeys=")
    })
  }
  it("is empty without parameters", () => {
    assert.strictEqual(queryOf({}, "repeat"), "")
    assert.strictEqual(queryOf({ page: undefined }, "repeat"), "")
    assert.strictEqual(queryOf({ page: 0 }, "repeat"), "?page=0")
  })
})

describe("the path of a request", () => {
  it("has its parameters percent-encoded in their places", () => {
    const path = fillPath("/v1/subscribers/:subscriberId/messages", { subscriberId: "a/b c" })
    assert.strictEqual(path, "/v1/subscribers/a%2Fb%20c/messages")
  })
  it("accepts a surrogate pair, and rejects half of one", () => {
    assert.deepStrictEqual(
      unencodableIn({ one: "a😀", other: "a\ud83d" }).map(({ path }) => path),
      ["other"]
    )
  })
})

describe("a request to a transport", () => {
  it.effect("returns whether the platform may send it again, and how large its response may be", function* () {
    const requests: Array<TransportRequest> = []
    const transport = {
      ...makeTransport(() => new Error("not used")),
      layer: Layer.succeed(Transport, {
        send: (request) => {
          requests.push(request)
          return Effect.succeed({ status: 404, headers: {}, text: "" })
        }
      })
    }
    const harmless = Credentials.use((credentials) =>
      credentials.upsert("user-7", { providerId: "fcm", credentials: { deviceTokens: [] } })
    )
    for (const call of [list, upsert, harmless]) {
      yield* Effect.ignore(call).pipe(Effect.provide(clientLayer(transport)))
    }
    assert.deepStrictEqual(
      requests.map(({ isUnsafeToResend }) => isUnsafeToResend),
      [false, true, false]
    )
    assert.deepStrictEqual([...new Set(requests.map(({ maxResponseBytes }) => maxResponseBytes))], [67_108_864])
    assert.deepStrictEqual(
      requests.map(({ url }) => url.slice(0, 22)),
      ["http://service.test/v1", "http://service.test/v1", "http://service.test/v1"]
    )
  })
})
