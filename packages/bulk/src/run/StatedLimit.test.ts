import { assert, describe, it } from "@effect/vitest"
import { limitOf } from "./StatedLimit.ts"

describe("the limit that responses state", () => {
  it("keeps its window when it looks shorter later", () => {
    const observedAt = 0
    assert.deepStrictEqual(limitOf({ limit: 100, policy: "100;w=60", observedAt }, undefined), {
      limit: 100,
      windowMs: 60_000
    })
    const first = limitOf({ limit: 100, resetAt: 30_000, observedAt }, undefined)
    assert.deepStrictEqual(limitOf({ limit: 100, resetAt: 4000, observedAt }, first), { limit: 100, windowMs: 30_000 })
    assert.isUndefined(limitOf({ remaining: 3, observedAt }, undefined))
  })
})
