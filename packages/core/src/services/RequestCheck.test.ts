import { assert, describe, it } from "@effect/vitest"
import { checkMarkAs, checkUpsert } from "./RequestCheck.ts"

const tokens = { providerId: "fcm", credentials: { deviceTokens: ["token"] } }

describe("a check of a request", () => {
  it("finds nothing wrong with what a call would send", () => {
    assert.deepStrictEqual(checkUpsert("user-7", tokens), [])
    assert.deepStrictEqual(checkMarkAs("user-7", { messageId: "m1", markAs: "read" }), [])
  })

  it("names every field that a call would reject", () => {
    assert.deepStrictEqual(
      checkUpsert("..", { providerId: "fcm", credentials: { deviceTokens: ["a", 7] } }).map(({ path }) => path),
      ["subscriberId", "credentials.deviceTokens[1]"]
    )
    const blank = { providerId: "fcm", credentials: { deviceTokens: ["a", "", " \t"] } }
    assert.deepStrictEqual(checkUpsert("user-7", blank), [
      { path: "credentials.deviceTokens[1]", rule: "Expected text that is not blank" },
      { path: "credentials.deviceTokens[2]", rule: "Expected text that is not blank" }
    ])
    assert.deepStrictEqual(checkUpsert(undefined, tokens), [{ path: "subscriberId", rule: "Missing key" }])
    assert.deepStrictEqual(checkUpsert("\uD800", tokens), [
      { path: "subscriberId", rule: "Expected text that can be part of a URL" }
    ])
    assert.deepStrictEqual(
      checkMarkAs("user-7", { messageId: "m1", markAs: "archived" }).map(({ path }) => path),
      ["markAs"]
    )
  })

  it("does not show a value, or the name of an unknown field, which can be secrets", () => {
    const text = JSON.stringify(checkUpsert("user-7", { providerId: "s3cret", credentials: {}, "s3cret-too": 1 }))
    assert.notInclude(text, "s3cret")
  })
})
