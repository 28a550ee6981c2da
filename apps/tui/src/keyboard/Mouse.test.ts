import { assert, describe, it } from "@effect/vitest"
import { makeMouseReader } from "./Mouse.ts"

describe("the mouse", () => {
  it.each([
    [["\u001B[<64;10;5M"], ["up 9,4"]],
    [["\u001B[<65;1;1M\u001B[<65;1;1M"], ["down 0,0", "down 0,0"]],
    [["j\u001B[<0;300;12Mk"], ["click 299,11"]],
    [["\u001B", "[<0;3", "00;12", "M"], ["click 299,11"]],
    [["\u001B[<0;300;12m"], []],
    [["\u001B[<2;3;4M\u001B[A"], []]
  ])("reports %j as %j", (pieces, expected) => {
    const found: Array<string> = []
    const read = makeMouseReader(({ button, column, row }) => found.push(`${button} ${column},${row}`))
    for (const piece of pieces) read(piece)
    assert.deepStrictEqual(found, expected)
  })
})
