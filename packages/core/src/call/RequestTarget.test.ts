import { assert, describe, it } from "@effect/vitest"
import { fillPath, isEncodable, queryOf } from "./RequestTarget.ts"

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
    it(`asks for no context with an empty value, and leaves out every other empty list (${encoding})`, () => {
      assert.strictEqual(queryOf({ contextKeys: [], channels: [] }, encoding), "?contextKeys=")
    })
  }
  it("is empty without parameters", () => {
    assert.strictEqual(queryOf({}, "repeat"), "")
    assert.strictEqual(queryOf({ page: undefined, channels: [] }, "repeat"), "")
    assert.strictEqual(queryOf({ page: 0 }, "repeat"), "?page=0")
  })
})

describe("the path of a request", () => {
  it("has its parameters percent-encoded in their places", () => {
    const path = fillPath("/v1/subscribers/:subscriberId/messages", { subscriberId: "a/b c" })
    assert.strictEqual(path, "/v1/subscribers/a%2Fb%20c/messages")
  })
  it("takes a pair of surrogates, and no half of one", () => {
    assert.isTrue(isEncodable("a😀"))
    assert.isFalse(isEncodable("a\ud83d"))
  })
})
