import { assert, describe, it } from "@effect/vitest"
import { isNestedTooDeep } from "./Nesting.ts"

const arrays = (depth: number) => "[".repeat(depth) + "]".repeat(depth)

describe("isNestedTooDeep", () => {
  it.each([
    ["500 arrays", arrays(500), false],
    ["501 arrays", arrays(501), true],
    ["objects and arrays", `${'{"a":['.repeat(251)}${"]}".repeat(251)}`, true],
    ["many next to each other", `[${"[{}],".repeat(1_000)}1]`, false],
    ["brackets in a string", `{"a":"${"[".repeat(2_000)}"}`, false],
    ["an escaped quote before brackets in a string", String.raw`{"a":"\"${"[".repeat(2_000)}"}`, false],
    ["a string that ends with a backslash", String.raw`["\\",${arrays(600)}]`, true]
  ])("%s", (_, json, expected) => {
    JSON.parse(json)
    assert.strictEqual(isNestedTooDeep(json), expected)
  })
})
