/**
 * Records as comma-separated values (RFC 4180), with a heading line.
 */
import { cleaned } from "@signalbox/operator/outlet/Outlet"
import { type NamedField, textOf } from "./Listing.ts"

/** The start of a cell that a spreadsheet runs. */
const formula = /^=|^[+\-@].*?[a-z].*?[(|!]/isu

const cell = (value: unknown): string => {
  // Cell by cell: what looks like a secret must not end in the next cell.
  const plain = cleaned(textOf(value))
  // Strangers choose ids and messages.
  const text = formula.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Formats batches of records; the heading comes with the first batch, also when it is empty. */
export const makeCsv = <Row>(fields: ReadonlyArray<NamedField<Row>>): ((rows: ReadonlyArray<Row>) => string) => {
  let isFirst = true
  return (rows) => {
    const lines = rows.map((row) => `${fields.map(({ value }) => cell(value(row))).join(",")}\r\n`)
    const heading = isFirst ? `${fields.map(({ name }) => name).join(",")}\r\n` : ""
    isFirst = false
    return heading + lines.join("")
  }
}
