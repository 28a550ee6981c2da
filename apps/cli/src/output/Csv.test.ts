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
})
