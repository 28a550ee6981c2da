import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { apiKey, clientLayer, makeTransport, page } from "../../test/transport/Transport.ts"
import { Credentials } from "../services/Credentials.ts"
import { Events } from "../services/Events.ts"
import * as IdempotencyPolicy from "../policies/IdempotencyPolicy.ts"

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
  it.effect("that writes has its body, its key and the headers of the connection", () =>
    Effect.gen(function* () {
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
  )
  it.effect("that reads has no body, and no key when keys are off", () =>
    Effect.gen(function* () {
      const request = yield* requestOf(off(list), {})
      assert.strictEqual(request.method, "GET")
      assert.isUndefined(request.body)
      assert.deepStrictEqual(request.headers, { accept: "application/json", authorization: `ApiKey ${apiKey}` })
    })
  )
})
