import { assert, describe, it } from "@effect/vitest"
import { createFake } from "../index.ts"
import { errorMessageOf } from "./ErrorMessage.ts"

describe("errorMessageOf", () => {
  it.each(["message", "observed", "problem", "nested"] as const)(
    "finds them in bodies of the shape %s",
    async (shape) => {
      const fake = createFake({ data: "empty", switches: { "error.body": shape } })
      const headers = { authorization: `ApiKey ${fake.apiKey}`, "content-type": "application/json" }
      const refused = await fake.fetch(`${fake.baseUrl}/v1/notifications?limit=51`, { headers })
      assert.match(
        refused.headers.get("content-type") ?? "",
        shape === "problem" ? /^application\/problem\+json/u : /^application\/json/u
      )
      await fake.fetch(`${fake.baseUrl}/v1/subscribers/ana/credentials`, {
        method: "PATCH",
        headers,
        body: JSON.stringify({ providerId: "fcm", credentials: { deviceTokens: ["device-token-of-ana"] } })
      })
      await fake.fetch(`${fake.baseUrl}/v1/notifications`, { headers })
      const [tooMany, nobody, right] = fake.journal.entries().map(({ errorMessage }) => errorMessage)
      assert.include(tooMany, "limit must not be greater than 50")
      assert.strictEqual(nobody, "SubscriberId: ana not found")
      assert.isUndefined(right)
    }
  )

  it("returns no message if the body has none", () => {
    for (const body of ["", "<html>", "7", '"message"', "{}", '{"message":7}', '{"error":"no"}']) {
      assert.isUndefined(errorMessageOf(body))
    }
  })

  it("has no empty part", () => {
    assert.strictEqual(errorMessageOf('{"message":["","wrong"]}'), "wrong")
  })

  it("is without duplicates and secrets, and short", () => {
    const hook = "https://hooks.slack.com/services/T000/B000/very-secret"
    const body = { message: ["a", "a"], errors: [{ detail: `see ${hook}` }, { detail: "x".repeat(400) }] }
    const words = errorMessageOf(JSON.stringify(body)) ?? ""
    assert.match(words, /^a; see /u)
    assert.notInclude(words, "very-secret")
    assert.lengthOf(words, 300)
  })
})
