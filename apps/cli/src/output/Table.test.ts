import { assert, describe, it } from "@effect/vitest"
import { width } from "@signalbox/operator/text/Width"
import type { NamedField } from "./Listing.ts"
import { makeTable } from "./Table.ts"

interface Row {
  readonly id: string
  readonly text: string
}

const fields: ReadonlyArray<NamedField<Row>> = [
  { name: "id", value: ({ id }) => id, isShort: true },
  { name: "text", value: ({ text }) => text, tone: () => "bad" }
]

const draw = (rows: ReadonlyArray<Row>, columns: number, colours = false) =>
  makeTable(fields, { columns, colours })(rows)

describe("makeTable", () => {
  it("fits the terminal and cuts long columns first", () => {
    const lines = draw([{ id: "event-0001", text: "a long cause that does not fit" }], 30).split("\n")
    assert.deepStrictEqual(lines, ["ID          TEXT", "event-0001  a long cause that…", ""])
  })

  it.each([10, 20, 40, 80])("stays within %d columns, wide and hostile text included", (columns) => {
    const text = draw([{ id: "漢字漢字漢字漢字", text: "x\u001B[2J\ny ".repeat(30) }], Math.max(columns, 14))
    assert.notMatch(text.replaceAll("\n", ""), /\p{Control}/u)
    for (const line of text.split("\n")) assert.isAtMost(width(line), Math.max(columns, 14))
  })

  it("widens columns for later batches while there is room, and prints the heading once", () => {
    const table = makeTable(fields, { columns: 80, colours: false })
    assert.strictEqual(table([]), "")
    assert.strictEqual(table([{ id: "a", text: "b" }]), "ID  TEXT\na   b\n")
    assert.strictEqual(table([{ id: "abcdef", text: "c" }]), "abcdef  c\n")
  })

  it("colours by meaning", () => {
    assert.include(draw([{ id: "a", text: "b" }], 80, true), "\u001B[31mb\u001B[0m")
  })
})
