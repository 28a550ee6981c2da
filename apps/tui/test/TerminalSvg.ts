/**
 * A screen of the terminal as an SVG image, from its lines with SGR sequences.
 */
import { width } from "@signalbox/operator/text/Width"

interface Style {
  readonly colour: string
  readonly background: string | undefined
  readonly bold: boolean
  readonly inverse: boolean
  readonly underline: boolean
}

/** The colours of text and of the terminal where a program sets none. */
export const foreground = "#d8dbe2"
export const backdrop = "#16181d"

/** A cell of the terminal, and the space around all of them. */
export const cell = { width: 8.4, height: 19 }
export const margin = 16

const initial: Style = { colour: foreground, background: undefined, bold: false, inverse: false, underline: false }

const hex = (value: number): string => value.toString(16).padStart(2, "0")

/** A colour of the 256 that terminals have, apart from the 16 that every terminal chooses itself. */
const indexed = (index: number): string => {
  if (index >= 232) return `#${hex(8 + (index - 232) * 10).repeat(3)}`
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
  const cube = index - 16
  return `#${[Math.floor(cube / 36), Math.floor(cube / 6) % 6, cube % 6].map((step) => hex(level(step))).join("")}`
}

/** The changes that each parameter makes, besides the colours with an index. */
const changes: ReadonlyMap<number, Partial<Style>> = new Map<number, Partial<Style>>([
  [0, initial],
  [1, { bold: true }],
  [4, { underline: true }],
  [7, { inverse: true }],
  [22, { bold: false }],
  [24, { underline: false }],
  [27, { inverse: false }],
  [39, { colour: foreground }],
  [49, { background: undefined }]
])

const styled = (style: Style, sequence: string): Style => {
  const [kind, form, index = 0] = sequence.split(";").map(Number)
  if (kind === 38 && form === 5) return { ...style, colour: indexed(index) }
  if (kind === 48 && form === 5) return { ...style, background: indexed(index) }
  return sequence.split(";").reduce((now, parameter) => Object.assign({}, now, changes.get(Number(parameter))), style)
}

/** A string as the text of an element. */
export const escaped = (text: string): string => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")

/** SVG collapses spaces; no-break spaces keep their cells. */
const spaced = (text: string): string => escaped(text).replaceAll(" ", "\u00a0")

const run = (text: string, style: Style, column: number, line: number): string => {
  const x = margin + column * cell.width
  const y = margin + line * cell.height
  const length = width(text) * cell.width
  const background = style.inverse ? style.colour : style.background
  const colour = style.inverse ? (style.background ?? backdrop) : style.colour
  const box =
    background === undefined
      ? ""
      : `<rect x="${x}" y="${y}" width="${length.toFixed(1)}" height="${cell.height}" fill="${background}"/>`
  if (text.trim() === "" && !style.underline) return box
  const attributes = `${style.bold ? ' font-weight="bold"' : ""}${style.underline ? ' text-decoration="underline"' : ""}`
  return `${box}<text x="${x.toFixed(1)}" y="${y + 14}" fill="${colour}" textLength="${length.toFixed(1)}"${attributes}>${spaced(text)}</text>`
}

/** One line of the screen, with SGR sequences, at its row. */
export const lineSvg = (line: string, at: number): string => {
  let style = initial
  let column = 0
  const drawn: Array<string> = []
  // oxlint-disable-next-line no-control-regex -- SGR sequences begin with the escape character.
  for (const [, sequence, text] of line.matchAll(/\u001b\[([\d;]*)m|([^\u001b]+)/g)) {
    if (sequence !== undefined) style = styled(style, sequence)
    if (text === undefined) continue
    drawn.push(run(text, style, column, at))
    column += width(text)
  }
  return drawn.join("")
}

/** The image; `title` is what a screen reader says. */
export const terminalSvg = (lines: ReadonlyArray<string>, columns: number, title: string): string => {
  const size = { width: columns * cell.width + 2 * margin, height: lines.length * cell.height + 2 * margin }
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${escaped(title)}">`,
    `<rect width="100%" height="100%" rx="8" fill="${backdrop}"/>`,
    `<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">`,
    ...lines.map(lineSvg).filter((line) => line !== ""),
    "</g>",
    "</svg>",
    ""
  ].join("\n")
}
