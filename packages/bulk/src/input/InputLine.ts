/**
 * One line of an input file, before it is known to be valid.
 */

/** The content of a line: a value, or why it has no value. */
export type LineContent =
  | {
      readonly value: unknown
      /** Column of the field at a path; `undefined` where it has none. */
      readonly columnOf: (path: string) => number | undefined
      /** The issue of a column of CSV whose cell is empty. */
      readonly emptyRule?: (column: number) => string | undefined
    }
  | { readonly rule: string; readonly column?: number | undefined }

/** Where a line is, with the blank lines before it. */
export interface LineRange {
  /** Offset of the first byte. */
  readonly offset: number
  readonly bytes: number
  /** Number of the first line. */
  readonly firstLine: number
}

/** One line of an input file. */
export interface InputLine {
  /** Number of the line, from 1; for a CSV record with several lines, the first. */
  readonly line: number
  readonly range: LineRange
  /** Parses the line. A line that is done already is never parsed. */
  readonly content: () => LineContent
}
