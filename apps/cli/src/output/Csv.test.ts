import { assert, describe, it } from "@effect/vitest"
import { makeCsv } from "./Csv.ts"

describe("makeCsv", () => {
  it("quotes what RFC 4180 wants quoted and prints the header once", () => {
    const csv = makeCsv<string>([
      { name: "text", value: (row) => row },
      { name: "list", value: () => ["a", "b"] },
      { name: "none", value: () => null }
    ])
    assert.strictEqual(csv(['say "hi"\n']), 'text,list,none\r\n"say ""hi""\n","a,b",\r\n')
    assert.strictEqual(csv(["plain"]), 'plain,"a,b",\r\n')
  })

  it("keeps spreadsheets from running a cell as a formula, and changes no other", () => {
    const csv = makeCsv<unknown>([{ name: "cell", value: (row) => row }])
    csv([])
    const cells = ["=1+1", "=cmd|' /C calc'!A0", "+SUM(A1)", "@SUM(A1)", "-1", -1, "+49 (30) 123", "@handle", "a=b"]
    assert.deepStrictEqual(csv(cells).trimEnd().split("\r\n"), [
      "'=1+1",
      "'=cmd|' /C calc'!A0",
      "'+SUM(A1)",
      "'@SUM(A1)",
      "-1",
      "-1",
      "+49 (30) 123",
      "@handle",
      "a=b"
    ])
  })
})
