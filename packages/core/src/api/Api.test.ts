import { assert, describe } from "@effect/vitest"
import { it } from "../../test/It.ts"
import * as Effect from "effect/Effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import * as OpenApi from "effect/http-api/OpenApi"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { operationNames } from "../contract/Operations.ts"
import { Api, ApiKeyAuthentication } from "./Api.ts"

const subscriber = {
  subscriberId: "ada",
  _organizationId: "organization",
  _environmentId: "environment",
  deleted: false,
  createdAt: "2026-01-01T00:00:00.000Z",
  updatedAt: "2026-01-01T00:00:00.000Z"
}

/** The inputs of the handlers and of the authentication, in order. */
const makeServer = () => {
  const seen: Array<unknown> = []
  const record = <A>(request: unknown, answer: A) =>
    Effect.sync(() => {
      seen.push(request)
      return answer
    })
  const handlers = Layer.mergeAll(
    HttpApiBuilder.group(Api, "credentials", (group) =>
      group.handle("upsert", ({ headers, params, payload }) => record({ headers, params, payload }, subscriber))
    ),
    HttpApiBuilder.group(Api, "messages", (group) =>
      group.handle("markAs", ({ params, payload }) => record({ params, payload }, []))
    ),
    HttpApiBuilder.group(Api, "events", (group) =>
      group.handle("list", ({ query }) => record(query, { hasMore: false, data: [], page: 0, pageSize: 10 }))
    )
  )
  const authentication = Layer.succeed(
    ApiKeyAuthentication,
    ApiKeyAuthentication.of({
      ApiKey: (effect, { credential }) =>
        Effect.suspend(() => {
          seen.push(Redacted.value(credential))
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
  return Effect.acquireRelease(Effect.succeed({ seen, send }), () => Effect.promise(dispose))
}

describe("Api", () => {
  it.effect("accepts the credentials of a subscriber with 200", function* () {
    const { seen, send } = yield* makeServer()
    const payload = { providerId: "fcm", credentials: { deviceTokens: ["a"] } }
    const response = yield* send("PATCH", "/v1/subscribers/ada%20l/credentials", payload)
    assert.strictEqual(response.status, 200)
    assert.deepStrictEqual<unknown>(yield* Effect.promise(() => response.json()), subscriber)
    assert.deepStrictEqual(seen, [
      "test",
      { headers: { "idempotency-key": "key" }, params: { subscriberId: "ada l" }, payload }
    ])
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
    assert.deepStrictEqual<unknown>(seen[1], { channels: ["sms", "email"], emails: "a@b", page: 0, limit: 50 })
    for (const query of ["limit=0", "limit=51", "limit=1.5", "page=-1", "page=first"]) {
      assert.strictEqual((yield* send("GET", `/v1/notifications?${query}`)).status, 400, query)
    }
  })
})

it("the HttpApi has an endpoint for every operation", () => {
  const paths = Object.values(OpenApi.fromApi(Api).paths)
  const ids = paths.flatMap((endpoints) =>
    Object.values(endpoints).flatMap((endpoint) => ("operationId" in endpoint ? [endpoint.operationId] : []))
  )
  assert.sameMembers(ids, [...operationNames])
})
