import { assert, describe, it } from "@effect/vitest"
import { deliveryOf } from "./Delivery.ts"

describe("deliveryOf", () => {
  const coded = (code: string, more: object = {}) => Object.assign(new Error(code), { code, ...more })
  it("looks through causes, and at all of several addresses", () => {
    assert.deepStrictEqual(deliveryOf(new TypeError("x", { cause: coded("ENOTFOUND") })), {
      delivery: "not-sent",
      code: "ENOTFOUND"
    })
    const both = new AggregateError([coded("ECONNREFUSED"), coded("ECONNREFUSED")])
    assert.strictEqual(deliveryOf(new TypeError("x", { cause: both })).delivery, "not-sent")
    const mixed = new AggregateError([coded("ECONNREFUSED"), coded("ECONNRESET")])
    assert.strictEqual(deliveryOf(mixed).delivery, "unknown")
  })
  it("believes a timeout only while connecting", () => {
    assert.strictEqual(deliveryOf(coded("ETIMEDOUT", { syscall: "connect" })).delivery, "not-sent")
    assert.strictEqual(deliveryOf(coded("ETIMEDOUT", { syscall: "read" })).delivery, "unknown")
  })
  it("knows nothing of everything else, rings among it", () => {
    const ring = new Error("ring")
    ring.cause = ring
    for (const cause of [undefined, null, "text", 7, new Error(), ring]) {
      assert.deepStrictEqual(deliveryOf(cause), { delivery: "unknown" })
    }
  })

  it("keeps what the innermost failure says where none has a code", () => {
    const cause = new Error("bad port")
    assert.deepStrictEqual(deliveryOf(new TypeError("fetch failed", { cause })), {
      delivery: "unknown",
      said: "bad port"
    })
  })
})
