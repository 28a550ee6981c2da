import { assert, describe, it } from "@effect/vitest"
import { routeOf, suggestion } from "./Route.ts"

describe("Route", () => {
  it("finds the operation and decodes the subscriber", () => {
    assert.deepStrictEqual(routeOf("PATCH", "/v1/subscribers/a%2Fb/credentials"), {
      _tag: "Route",
      operation: "credentials.upsert",
      subscriberId: "a/b"
    })
    assert.deepInclude(routeOf("GET", "/v1/notifications"), { operation: "events.list", subscriberId: "" })
  })

  it("knows a path that takes another method, and a path that is none", () => {
    assert.deepStrictEqual(routeOf("DELETE", "/v1/notifications"), { _tag: "WrongMethod", allowed: "GET" })
    for (const path of [
      "/",
      "/v1/subscribers//credentials",
      "/v1/subscribers/%E0%A4%A/credentials",
      "/v2/notifications"
    ]) {
      assert.isUndefined(routeOf("PATCH", path), path)
    }
  })

  it("names the operation that a wrong turn looks like", () => {
    const upsert = "did you mean PATCH /v1/subscribers/:subscriberId/credentials?"
    const mark = "did you mean POST /v1/subscribers/:subscriberId/messages/mark-as?"
    const list = "did you mean GET /v1/notifications?"
    assert.strictEqual(suggestion("PATCH", "/v1/subscriber/u/credentials"), upsert)
    assert.strictEqual(suggestion("PUT", "/subscribers/user-7/credential"), upsert)
    assert.strictEqual(suggestion("POST", "/v1/subscribers/user-7/messages/markAs"), mark)
    assert.strictEqual(suggestion("GET", "/notifications/"), list)
    assert.strictEqual(
      suggestion("GET", "/v1/events"),
      "there is GET /v1/notifications, PATCH /v1/subscribers/:subscriberId/credentials, POST /v1/subscribers/:subscriberId/messages/mark-as"
    )
  })
})
