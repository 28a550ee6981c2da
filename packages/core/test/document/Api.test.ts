import { assert, describe } from "@effect/vitest"
import { it } from "../It.ts"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { operationNames } from "../../src/contract/Operations.ts"
import { Api, ApiKeyAuthentication } from "../../Api.ts"

const subscriber = {
  subscriberId: "ada",
  _organizationId: "organization",
  _environmentId: "environment",
  deleted: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z"
}

/** The parts of a request that handlers receive. */
interface Parts {
  readonly headers: unknown
  readonly params: unknown
  readonly payload: unknown
  readonly query: unknown
}

interface Handlers {
  readonly handle: (endpoint: string, handler: (parts: Parts) => Effect.Effect<unknown>) => Handlers
}

const answers: Readonly<Record<string, unknown>> = {
  "credentials.upsert": subscriber,
  "messages.markAs": [],
  "events.list": { hasMore: false, data: [], page: 0, pageSize: 10 }
}

/** The inputs of the handlers and of the authentication, in order. */
const makeServer = () => {
  const keys: Array<string> = []
  const seen: Array<Parts> = []
  const handle = (handlers: Handlers, operation: string) =>
    handlers.handle(operation.split(".")[1] ?? "", ({ headers, params, payload, query }) =>
      Effect.sync(() => {
        seen.push({ headers, params, payload, query })
        return answers[operation]
      })
    )
  const [first, ...others] = Object.values(Api.groups).map(({ identifier }) =>
    // The types of one endpoint do not fit each other where the compiler sees a union of endpoints.
    HttpApiBuilder.group(
      Api,
      identifier,
      (group) =>
        operationNames.filter((name) => name.startsWith(`${identifier}.`)).reduce(handle, group as never) as never
    )
  )
  assert(first !== undefined)
  const handlers = Layer.mergeAll(first, ...others)
  const authentication = Layer.succeed(
    ApiKeyAuthentication,
    ApiKeyAuthentication.of({
      ApiKey: (effect, { credential }) =>
        Effect.suspend(() => {
          keys.push(Redacted.value(credential))
          return effect
        })
    })
  )
  const { dispose, handler } = HttpRouter.toWebHandler(
    HttpApiBuilder.layer(Api).pipe(
      Layer.provide(handlers),
      Layer.provide(authentication),
      Layer.provide(HttpServer.layerServices)
    ),
    { disableLogger: true }
  )
  const send = (method: string, path: string, body?: unknown) =>
    Effect.promise(() =>
      handler(
        new Request(`http://service.test${path}`, {
          method,
          headers: { authorization: "ApiKey test", "content-type": "application/json", "idempotency-key": "key" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      )
    )
  return Effect.acquireRelease(Effect.succeed({ keys, seen, send }), () => Effect.promise(dispose))
}

describe("Api", () => {
  it.effect("accepts the credentials of a subscriber with 200", function* () {
    const { keys, seen, send } = yield* makeServer()
    const payload = { providerId: "fcm", credentials: { deviceTokens: ["a"] } }
    const response = yield* send("PATCH", "/v1/subscribers/ada%20l/credentials", payload)
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual<unknown>(yield* Effect.promise(() => response.json()), subscriber)
    assert.deepStrictEqual(keys, ["test"])
    assert.deepInclude(seen[0], { headers: { "idempotency-key": "key" }, params: { subscriberId: "ada l" }, payload })
  })

  it.effect("accepts one message or several with 201", function* () {
    const { send } = yield* makeServer()
    for (const messageId of ["one", ["one", "two"]]) {
      const response = yield* send("POST", "/v1/subscribers/ada/messages/mark-as", { messageId, markAs: "read" })
      assert.strictEqual(response.status, 201)
    }
    const refused = yield* send("POST", "/v1/subscribers/ada/messages/mark-as", {
      messageId: "one",
      markAs: "opened"
    })
    assert.strictEqual(refused.status, 400)
  })

  it.effect("accepts filters with one value or several, and whole numbers within their bounds", function* () {
    const { seen, send } = yield* makeServer()
    const listed = yield* send("GET", "/v1/notifications?channels=sms&channels=email&emails=a%40b&page=0&limit=50")
    assert.strictEqual(listed.status, 200)
    assert.deepStrictEqual<unknown>(seen[0]?.query, { channels: ["sms", "email"], emails: "a@b", page: 0, limit: 50 })
    for (const query of ["limit=0", "limit=51", "limit=1.5", "page=-1", "page=first"]) {
      assert.strictEqual((yield* send("GET", `/v1/notifications?${query}`)).status, 400, query)
    }
  })
})
