import { type Row, spokenText } from "./Row.ts"

/** A line that a screen reader says. */
interface SpokenLine {
  readonly text: string
  /** Whether it is one of a list. */
  readonly listed: boolean
}

const single = (line: Row): ReadonlyArray<Row> => line.parts?.flatMap(single) ?? [line]

/** The screen reader's text of each row, without silent rows. */
const spokenLines = (rows: ReadonlyArray<Row>): ReadonlyArray<SpokenLine> =>
  rows
    .flatMap(single)
    .map((line) => ({ text: spokenText(line), listed: line.listed === true }))
    .filter(({ text }) => text !== "")

/** The words of a line about the cursor, which has moved if the rest of the line is the same. */
const cursorWords = /^(?:current|editing), /u

/** A frame as a screen reader gets it. */
export interface Frame {
  /** The screen, or what lies over it. */
  readonly place: string
  /** The id of the screen. */
  readonly screen: number
  readonly rows: ReadonlyArray<Row>
}

/** The spoken lines: the last ones, and those of each place. */
export interface Spoken {
  readonly place: string
  readonly screen: number
  readonly lines: ReadonlyArray<SpokenLine>
  readonly places: ReadonlyMap<string, ReadonlyArray<SpokenLine>>
}

/** Nothing said yet. */
export const nothingSpoken: Spoken = { place: "", screen: -1, lines: [], places: new Map() }

/**
 * The new part of a frame: a screen reader speaks it, not the whole screen again. A line that the cursor has left has
 * no new part. A list is said once; then only its row under the cursor. A screen that comes back says its title and
 * where the cursor is.
 */
export const speak = (
  spoken: Spoken,
  { place, rows, screen }: Frame
): { readonly said: ReadonlyArray<string>; readonly spoken: Spoken } => {
  const lines = spokenLines(rows)
  const earlier = spoken.places.get(place) ?? []
  // A sentence of another screen that starts with the same words is spoken in full.
  const last = screen === spoken.screen ? spoken.lines : []
  const known = new Set([...last, ...earlier].flatMap(({ text }) => [text, text.replace(cursorWords, "")]))
  const comesBack = place !== spoken.place && earlier.length > 0
  const knowsList = earlier.some(({ listed }) => listed)
  const isNew = ({ listed, text }: SpokenLine, index: number): boolean => {
    const isCursor = cursorWords.test(text)
    if (comesBack && (index === 0 || isCursor)) return true
    return !known.has(text) && (isCursor || !listed || !knowsList)
  }
  return {
    said: lines.filter(isNew).map(({ text }) => text),
    spoken: { place, screen, lines, places: new Map([...spoken.places, [place, lines]]) }
  }
}
