import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { isMisplaced, isSecret, masked } from "./Secrets.ts"

const hook = "https://hooks.example.test/services/T0/B0/K7q2x9"

describe("isSecret", () => {
  it("recognizes a secret by its field, and by its form in a wrong field", () => {
    assert.isTrue(isSecret("webhookUrl", "x"))
    assert.isTrue(isSecret("deviceTokens", "x"))
    for (const field of ["providerId", "integrationIdentifier", "channel", "alertUid", "title", "state"]) {
      assert.isTrue(isMisplaced(field, hook), field)
      assert.isTrue(isSecret(field, `token ${"a1".repeat(32)}`), field)
      assert.isFalse(isSecret(field, "production eu, 550e8400-e29b-41d4-a716-446655440000"), field)
    }
    for (const field of ["imageUrl", "externalUrl"]) assert.isFalse(isSecret(field, hook), field)
    assert.isFalse(isMisplaced("webhookUrl", hook))
  })
})

describe("masked", () => {
  it.effect.prop("never shows more than the end", [Schema.String], ([secret]) =>
    Effect.sync(() => {
      const end = masked(secret).slice(4)
      assert.isTrue(masked(secret).startsWith("****"))
      assert.isTrue(secret.endsWith(end))
      if (secret.length <= 8) assert.strictEqual(end, "")
    })
  )
})
