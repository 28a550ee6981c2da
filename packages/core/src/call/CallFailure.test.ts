import { assert, describe, it } from "@effect/vitest"
import { late, refused } from "./CallFailure.ts"

const issues = (count: number, rule: string) => Array.from({ length: count }, (_, at) => ({ path: `p${at}`, rule }))

describe("a refused input", () => {
  it("names every issue in one line", () => {
    const { cause, reason } = refused(issues(3, "Too large"))
    assert.strictEqual(reason._tag, "InvalidRequest")
    assert.strictEqual(reason.message, "p0: Too large; p1: Too large; p2: Too large")
    assert.deepStrictEqual(reason.fields, issues(3, "Too large"))
    assert.isUndefined(cause)
  })
  it("names those that fit into 360 characters, and counts the rest", () => {
    const rule = "x".repeat(84)
    // Four lines of 88 characters and three separators of two make 358.
    const four = issues(4, rule)
      .map(({ path }) => `${path}: ${rule}`)
      .join("; ")
    assert.strictEqual(refused(issues(4, rule)).reason.message, four)
    assert.strictEqual(refused(issues(7, rule)).reason.message, `${four} (and 3 more)`)
    const exact = [...issues(3, rule), { path: "p3", rule: "x".repeat(86) }]
    assert.lengthOf(refused(exact).reason.message, 360)
    assert.isTrue(refused(exact).reason.message.endsWith("xx"))
    const over = [...issues(3, rule), { path: "p3", rule: "x".repeat(87) }]
    assert.isTrue(refused(over).reason.message.endsWith("x (and 1 more)"))
  })
  it("shortens a first issue that is too long", () => {
    const { message } = refused([{ path: "", rule: "y".repeat(400) }]).reason
    assert.strictEqual(message, `${"y".repeat(359)}…`)
  })
  it("has the cause that it was given, and no message without issues", () => {
    const cause = new Error("own")
    assert.strictEqual(refused([], cause).cause, cause)
    assert.strictEqual(refused([]).reason.message, "")
  })
})

it("a call whose deadline passed is a timeout of the call", () => {
  const { reason } = late(40, "no turn")
  const message = "no turn within 40 ms"
  assert.deepInclude(reason, { _tag: "Timeout", message, delivery: "not-sent", scope: "call", limitMs: 40 })
})
