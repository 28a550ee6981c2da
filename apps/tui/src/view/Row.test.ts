import { assert, describe, it } from "@effect/vitest"
import { width } from "@signalbox/operator/text/Width"
import { asItem, sideBySide, clipped, cutShort, ends, inset, itemAt, plain, row, rule, span } from "./Row.ts"

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

describe("a click on two panels side by side", () => {
  it("is on the item of the panel below it, and on none between them or behind them", () => {
    const items = [asItem(row([span("one")], 4), 1), asItem(row([span("two")], 4), 2)]
    const [line = row([], 0)] = sideBySide(items.slice(0, 1), 4, span("│"), items.slice(1), 4)
    assert.deepStrictEqual(
      Array.from({ length: 10 }, (_, column) => itemAt(line, column)),
      [1, 1, 1, 1, undefined, 2, 2, 2, 2, undefined]
    )
    assert.strictEqual(itemAt(items[0] ?? line, 99), 1)
    assert.isUndefined(itemAt(row([span("none")], 4), 0))
  })
})

describe("rows that do not fit", () => {
  const lines = (...strings: ReadonlyArray<string>) => strings.map((text) => row([span(text)], 30))
  const heading = row([span("STEPS", "title")], 30)

  it("leave no heading and no empty row above the count of the rest", () => {
    const rows = [...lines("first", ""), heading, ...lines("second", "third")]
    const shown = clipped(rows, { columns: 30, height: 4 }, "z").map((line) => plain(line).trimEnd())
    assert.deepStrictEqual(shown, ["first", " … 4 more lines, z shows all", "", ""])
    const panel = [...lines("first"), rule(30, "─", "PAYLOAD"), ...lines("second", "third")]
    assert.include(plain(clipped(panel, { columns: 30, height: 3 }, "z")[1] ?? row([], 30)), "… 3 more lines")
  })

  it("end in an ellipsis where there is no room for a count", () => {
    const first = (...strings: ReadonlyArray<string>) =>
      cutShort(lines(...strings), { columns: 30, height: 1 }).map((line) => plain(line).trimEnd())
    assert.deepStrictEqual(first(" WHY   The subscriber has", "       no phone number."), [
      " WHY   The subscriber has…"
    ])
    assert.deepStrictEqual(first(" WHY   It failed.", " NEXT  Wait."), [" WHY   It failed."])
    assert.deepStrictEqual(first(" WHY   It failed."), [" WHY   It failed."])
  })
})
