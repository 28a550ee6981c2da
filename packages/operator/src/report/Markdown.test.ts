import { assert, describe, it } from "@effect/vitest"
import { code } from "./Markdown.ts"

describe("code", () => {
  it.each([
    ["plain", "`plain`"],
    ["a`b", "``a`b``"],
    ["`start", "`` `start ``"],
    ["end`", "`` end` ``"],
    [" padded", "`  padded `"],
    ["padded ", "` padded  `"],
    ["", "`  `"]
  ])("%j is %j", (text, shown) => {
    assert.strictEqual(code(text), shown)
  })
})
