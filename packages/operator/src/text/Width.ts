/**
 * The cells that text takes in a terminal, and cutting, filling and wrapping by them.
 *
 * Expects safe text: in what `Safe.ts` lets through, all terminals agree about the cells.
 */
import stringWidth from "string-width"
import { graphemes, segments } from "./Graphemes.ts"
import { plainCells } from "./PlainCells.ts"

const printable = /^[ -~]*$/u

/** Replaces the part that was cut off. */
const ellipsis = "…"

/** Caches the widths of non-ASCII strings: the same few are drawn in every frame. */
const measured = new Map<string, number>()

const measuredLimit = 4096

const measure = (text: string): number => {
  const known = measured.get(text)
  if (known !== undefined) return known
  const cells = stringWidth(text)
  if (text.length > 256) return cells
  if (measured.size >= measuredLimit) measured.clear()
  measured.set(text, cells)
  return cells
}

/** The cells that the text takes. */
export const width = (text: string): number => plainCells(text) ?? measure(text)

/** Returns the longest prefix that fits, or the whole string. Examines no more of the string than necessary. */
const prefix = (text: string, columns: number): string => {
  // At least one cell for each printable character: past `columns` of them the rest cannot matter.
  const head = text.length > columns ? text.slice(0, columns) : text
  if (printable.test(head) && (head.length === text.length || printable.test(text[columns] ?? ""))) return head
  // Measuring a short text as a whole is cheaper than taking it apart.
  if (text.length <= 256 && width(text) <= columns) return text
  let used = 0
  for (const { segment, index } of segments(text)) {
    used += width(segment)
    if (used > columns) return text.slice(0, index)
  }
  return text
}

/**
 * Truncates the string to at most `columns` cells, with an ellipsis at the end if anything was cut off.
 *
 * @example
 * ```ts
 * truncate("order-shipped", 8) // => "order-s…"
 * ```
 */
export const truncate = (text: string, columns: number): string => {
  if (columns <= 0) return ""
  const whole = prefix(text, columns)
  return whole.length === text.length ? text : `${prefix(text, columns - 1)}${ellipsis}`
}

/** The longest end that fits. */
const suffix = (text: string, columns: number): string => {
  const cells = graphemes(text)
  let used = 0
  for (let at = cells.length - 1; at >= 0; at -= 1) {
    used += width(cells[at] ?? "")
    if (used > columns) return cells.slice(at + 1).join("")
  }
  return text
}

/**
 * The text in at most `columns` cells, cut in its middle: ids differ at both ends.
 *
 * @example
 * ```ts
 * truncateMiddle("9f1c2b7e-5d1a-4e0b-9b1e44", 13) // => "9f1c2b…9b1e44"
 * ```
 */
export const truncateMiddle = (text: string, columns: number): string => {
  if (columns <= 0) return ""
  const whole = prefix(text, columns)
  if (whole.length === text.length) return text
  const head = Math.ceil((columns - 1) / 2)
  return `${prefix(text, head)}${ellipsis}${suffix(text, columns - 1 - head)}`
}

/** The text in at least `columns` cells: filled with spaces at its end. */
export const pad = (text: string, columns: number): string => text + " ".repeat(Math.max(0, columns - width(text)))

/** The text in exactly `columns` cells: cut with an ellipsis, or filled with spaces at its end. */
export const fit = (text: string, columns: number): string => pad(truncate(text, columns), columns)

/** Cuts lines of exactly fitting graphemes from a word that is longer than a line; returns the rest of it. */
const breakWord = (word: string, columns: number, lines: Array<string>): string => {
  let rest = word
  while (width(rest) > columns) {
    // A character that is wider than the line still has to be taken, or there is no end.
    const head = prefix(rest, columns) || (graphemes(rest)[0] ?? "")
    lines.push(head)
    rest = rest.slice(head.length)
  }
  return rest
}

/**
 * The text in lines of at most `columns` cells, broken at spaces, and inside a word only when a line cannot hold it.
 * The first line keeps its indentation.
 */
export const wrap = (text: string, columns: number): ReadonlyArray<string> => {
  const room = Math.max(1, columns)
  const lines: Array<string> = []
  const indentation = /^ */u.exec(text)?.[0] ?? ""
  let line = indentation.length < room ? indentation : ""
  let used = line.length
  let empty = true
  for (const word of text.slice(indentation.length).split(/ +/u)) {
    const cells = width(word)
    if (used + (empty ? 0 : 1) + cells <= room) {
      line += empty ? word : ` ${word}`
      used += (empty ? 0 : 1) + cells
    } else {
      if (!empty) lines.push(line)
      line = breakWord(word, room, lines)
      used = width(line)
    }
    empty = false
  }
  return [...lines, line]
}
