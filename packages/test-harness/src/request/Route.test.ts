import { assert, describe, it } from "@effect/vitest"
import { document } from "../switches/Switches.ts"
import { routeOf, routingError } from "./Route.ts"

describe("Route", () => {
  it("finds the operation and decodes the subscriber", () => {
    assert.deepStrictEqual(routeOf("PATCH", "/v1/subscribers/a%2Fb/credentials"), {
      _tag: "Route",
      operation: "credentials.upsert",
      subscriberId: "a/b"
    })
    assert.deepInclude(routeOf("GET", "/v1/notifications"), { operation: "events.list", subscriberId: "" })
  })

  it("distinguishes a wrong method from an unknown path", () => {
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

  it("names the operations in the error of a request that matches none", () => {
    const { message } = routingError(document, { method: "GET", path: "/v1/events" }, undefined)
    assert.strictEqual(
      message,
      "Cannot GET /v1/events; expected one of: PATCH /v1/subscribers/:subscriberId/credentials, " +
        "POST /v1/subscribers/:subscriberId/messages/mark-as, GET /v1/notifications"
    )
  })
})
