import { assert, describe, it } from "@effect/vitest"
import { operations } from "@signalbox/core/Operations"
import { document, observed } from "../switches/Switches.ts"
import { routeOf, routingError } from "./Route.ts"

const exact = (method: string, path: string) => routeOf(document, method, path)

describe("routes of the preset document", () => {
  it("have their path parameters, decoded", () => {
    assert.deepStrictEqual(exact("PATCH", "/v1/subscribers/a%2Fb/credentials"), {
      _tag: "Route",
      operation: "credentials.upsert",
      parameters: { subscriberId: "a/b" }
    })
    assert.deepInclude(exact("GET", "/v1/notifications"), { operation: "events.list", parameters: {} })
  })

  it("report a wrong method, and nothing for an unknown path", () => {
    assert.deepStrictEqual(exact("DELETE", "/v1/notifications"), { _tag: "WrongMethod", allowed: "GET" })
    assert.deepStrictEqual(exact("HEAD", "/v1/notifications"), { _tag: "WrongMethod", allowed: "GET" })
    for (const path of [
      "/",
      "/v1/subscribers//credentials",
      "/v1/subscribers/%E0%A4%A/credentials",
      "/v2/notifications",
      "//v1/notifications",
      "/v1//notifications",
      "/v1/notifications/",
      "/v1/Notifications"
    ]) {
      assert.isUndefined(exact("PATCH", path), path)
      assert.isUndefined(exact("GET", path), path)
    }
  })

  it("are named in the error of a request that matches none", () => {
    const { headers, message } = routingError(document, { method: "GET", path: "/v1/events", query: "" }, undefined)
    const routes = Object.values(operations).map(({ method, path }) => `${method} ${path}`)
    assert.include(routes, "PATCH /v1/subscribers/:subscriberId/credentials")
    assert.strictEqual(
      message,
      `Cannot GET /v1/events; add it with fake.route or POST /_fake/routes; expected one of: ${routes.join(", ")}`
    )
    assert.deepStrictEqual(headers, {})
  })
})

describe("routes of the preset observed", () => {
  it("match in any case, with one slash at the end, and keep the case of parameters", () => {
    for (const path of ["/V1/NOTIFICATIONS", "/v1/notifications/", "/v1/notifications"]) {
      assert.deepInclude(routeOf(observed, "GET", path), { operation: "events.list" }, path)
      assert.deepInclude(routeOf(observed, "HEAD", path), { operation: "events.list" }, path)
    }
    assert.deepInclude(routeOf(observed, "PATCH", "/v1/Subscribers/User-7/Credentials/"), {
      parameters: { subscriberId: "User-7" }
    })
  })

  it("match no path with an empty segment", () => {
    for (const path of [
      "//v1/notifications",
      "/v1//notifications",
      "/v1/notifications//",
      "/v1/subscribers//credentials"
    ]) {
      assert.isUndefined(routeOf(observed, "GET", path), path)
    }
  })

  it("report a path that cannot be decoded", () => {
    const destination = routeOf(observed, "PATCH", "/v1/nope/%zz")
    assert.deepStrictEqual(destination, { _tag: "BadPath" })
    assert.deepInclude(
      routingError(observed, { method: "PATCH", path: "/v1/nope/%zz", query: "" }, { _tag: "BadPath" }),
      {
        status: 400,
        message: "Failed to decode param 'v1/nope/%zz'"
      }
    )
  })
})
