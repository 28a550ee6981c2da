/**
 * How records of one kind are printed: their named fields, for tables, CSV and `--fields`, and their whole form for JSON.
 */

/** The meaning of a cell, which a terminal shows as a colour. */
export type Tone = "good" | "bad" | "warning" | "quiet"

/** The terminal that text is drawn for. */
export interface TerminalStyle {
  readonly columns: number
  readonly colours: boolean
}

const codes: Readonly<Record<Tone | "heading", string>> = {
  good: "\u001B[32m",
  bad: "\u001B[31m",
  warning: "\u001B[33m",
  quiet: "\u001B[2m",
  heading: "\u001B[1m"
}

/** Text in the colour of its meaning. */
export const coloured = (text: string, tone: Tone | "heading" | undefined, { colours }: TerminalStyle): string =>
  colours && tone !== undefined && text !== "" ? `${codes[tone]}${text}\u001B[0m` : text

/** One named field of a record. */
export interface Field<Row> {
  /** Heading of the column; the name of the field where absent. */
  readonly title?: string
  /** The property of the row that has the name of the field where absent. */
  readonly value?: (row: Row) => unknown
  /** The cell of a table that replaces the value. */
  readonly cell?: (row: Row) => string
  readonly tone?: (row: Row) => Tone | undefined
  /** Whether a table cuts it only where cutting the other columns is not enough: times, states, ids. */
  readonly isShort?: boolean
  /** Whether a table cuts it before all other columns: names that the reader knows. */
  readonly isName?: boolean
}

/** Records of one kind. JSON has the whole row unless `--fields` names fields. */
export interface Listing<Row> {
  readonly fields: Readonly<Record<string, Field<Row>>>
  /** The fields that tables and CSV show unless `--fields` names others; a narrow table leaves out long ones at the end. */
  readonly columns: ReadonlyArray<string>
  /** The text on a terminal for one record, instead of a row of a table. */
  readonly detail?: (row: Row, style: TerminalStyle) => string
  /** Names in the JSON of a row that are not those of fields; `--fields` accepts them, too. */
  readonly names?: ReadonlyArray<string>
}

/** A field with its name. */
export interface NamedField<Row> extends Field<Row> {
  readonly name: string
  readonly value: (row: Row) => unknown
}

/** A value of JSON as one line of text. */
export const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  if (Array.isArray(value)) return value.map(textOf).join(",")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}
