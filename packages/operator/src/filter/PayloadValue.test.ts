import { assert, describe, it } from "@effect/vitest"
import { eventOf } from "../../test/Records.ts"
import { chips, format, matches, narrows, parse } from "./Filter.ts"

const event = (payload: Readonly<Record<string, unknown>>) => eventOf([], { payload })

const filterOf = (text: string) => {
  const parsed = parse(text)
  assert(parsed._tag === "Parsed", text)
  return parsed.filter
}

const order = event({ orderId: "A-4226", total: 42, order: { lines: [{ sku: "K-1" }], tags: ["big", "gift"] } })

describe("words of a filter", () => {
  it.each([
    ["A-4226", true],
    ["a-42", true],
    ["42", true],
    ["K-1", true],
    ["gift", true],
    ["orderId", false],
    ["A-4227", false]
  ])("%s in the values of a payload: %s", (word, found) => {
    assert.strictEqual(matches(filterOf(word), order), found)
  })

  it("are not searched in long contents", () => {
    assert.isFalse(matches(filterOf("needle"), event({ body: `${"x".repeat(300)} needle` })))
  })
})

describe("a field of the payload", () => {
  it.each([
    ["payload.orderId:A-4226", true],
    ["payload.orderId:a-4226", true],
    ["payload.orderId:A-42", false],
    ["payload.total:42", true],
    ["payload.order.tags:gift", true],
    ["payload.order.lines:K-1", false],
    ["payload.orderId:A-1,A-4226", true],
    ["payload.orderId:A-4226 payload.total:42", true],
    ["payload.orderId:A-4226 payload.total:7", false],
    ["-payload.orderId:A-4226", false],
    ["-payload.orderId:A-1", true],
    ["payload.constructor:x", false]
  ])("%s: %s", (text, found) => {
    assert.strictEqual(matches(filterOf(text), order), found)
  })

  it("keeps its written form", () => {
    const text = 'payload.orderId:A-1,"a b" payload.total:7 -payload.kind:test'
    assert.strictEqual(format(filterOf(text)), text)
    assert.deepStrictEqual(filterOf(format(filterOf(text))), filterOf(text))
    assert.lengthOf(chips(filterOf(text)), 2)
  })

  it("is not narrowed by another value", () => {
    assert.isFalse(narrows(filterOf("payload.orderId:A-1"), filterOf("payload.orderId:A-1,A-2")))
    assert.isTrue(narrows(filterOf("payload.orderId:A-1 x"), filterOf("payload.orderId:A-1")))
  })

  it.each([
    ["payload:A-4226", "column 1: payload needs a field, for example payload.orderId:A-4226"],
    ["status.word:failed", "column 1: status has no fields"],
    ["payload.orderId:", "column 17: payload needs a value, for example payload.orderId:abc"]
  ])("%s is refused", (text, message) => {
    const parsed = parse(text)
    assert(parsed._tag === "Refused")
    assert.strictEqual(parsed.message, message)
  })
})
