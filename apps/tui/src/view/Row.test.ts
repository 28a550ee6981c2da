import { assert, describe, it } from "@effect/vitest"
import { width } from "@signalbox/operator/text/Width"
import { sideBySide, ends, inset, plain, row, rule, span } from "./Row.ts"

describe("ends", () => {
  it("keeps a cell between a string that is cut and the right end", () => {
    const line = plain(ends([span("reading events: attempt 2, 503 Service Unavailable")], [span("1/60 ")], 40))
    assert.strictEqual(line, "reading events: attempt 2, 503 Se… 1/60 ")
    assert.strictEqual(width(plain(ends([span("12345")], [span("67890")], 10))), 10)
    assert.strictEqual(plain(ends([span("12345")], [span("67890")], 10)), "1234567890")
  })
})

describe("sideBySide", () => {
  const text = row([span("text")], 6)
  const side = (bar: string, line: string) =>
    sideBySide(
      [rule(6, line), text, rule(6, line), text],
      6,
      span(bar, "dim"),
      [rule(6, line), rule(6, line), text, inset(0)(row([span("x", "dim")], 5))],
      6
    ).map(plain)

  it("joins the separator with the rules that meet it", () => {
    assert.deepStrictEqual(side("│", "─"), ["──────┼──────", "text  ├──────", "──────┤text  ", "text  │ x    "])
    assert.deepStrictEqual(side("|", "-"), ["------+------", "text  +------", "------+text  ", "text  | x    "])
  })

  it("leaves a gap a gap", () => {
    assert.deepStrictEqual(side(" ", "─")[0], "────── ──────")
  })
})
