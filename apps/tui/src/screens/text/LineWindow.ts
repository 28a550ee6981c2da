/**
 * Parts of a line by cells. A line of a raw response can have a hundred thousand characters, and is drawn with every
 * key: its cells are computed once.
 *
 * Expects safe text, as `Width.ts` does.
 */
import { segments } from "@signalbox/operator/text/Graphemes"
import { isPlain } from "@signalbox/operator/text/PlainCells"
import { width } from "@signalbox/operator/text/Width"

/** A grapheme of a line: its index in the text, and the cell that it begins in. */
interface Place {
  readonly index: number
  readonly cell: number
}

/** Finds places in one line; looks at no more of it than it needs, and at nothing twice. */
interface Ruler {
  /** The first place at a cell or behind it; the end of the line when it is shorter. */
  readonly placeAt: (cell: number) => Place
}

const plainRuler = (line: string): Ruler => ({
  placeAt: (cell) => {
    const at = Math.min(cell, line.length)
    return { index: at, cell: at }
  }
})

/** Graphemes between two places that are kept. */
const stride = 500

const measuringRuler = (line: string): Ruler => {
  const graphemes = segments(line)[Symbol.iterator]()
  let last: Place = { index: 0, cell: 0 }
  const kept: Array<Place> = [last]
  const goTo = (cell: number) => {
    for (let count = 1; last.cell < cell && last.index < line.length; count += 1) {
      const next = graphemes.next()
      if (next.done === true) break
      const { segment } = next.value
      last = { index: last.index + segment.length, cell: last.cell + width(segment) }
      if (count % stride === 0) kept.push(last)
    }
  }
  return {
    placeAt: (cell) => {
      goTo(cell)
      let place = kept.findLast((before) => before.cell <= cell) ?? { index: 0, cell: 0 }
      const following = kept.find((after) => after.cell >= cell) ?? last
      for (const { segment } of segments(line.slice(place.index, following.index))) {
        if (place.cell >= cell) break
        place = { index: place.index + segment.length, cell: place.cell + width(segment) }
      }
      return place
    }
  }
}

const rulers = new Map<string, Ruler>()

/** As many lines as are on a screen, and those that were there before. */
const mostRulers = 200

const rulerOf = (line: string): Ruler => {
  const known = rulers.get(line)
  if (known !== undefined) return known
  const ruler = isPlain(line) ? plainRuler(line) : measuringRuler(line)
  if (rulers.size >= mostRulers) rulers.clear()
  rulers.set(line, ruler)
  return ruler
}

/** A part of a line: from the character at `from` up to, but not including, the one at `to`. */
export interface Part {
  readonly from: number
  readonly to: number
}

/** The part of a line that is visible in a window of `columns` cells. */
export const seen = (line: string, left: number, columns: number): Part => {
  const ruler = rulerOf(line)
  return { from: ruler.placeAt(left).index, to: ruler.placeAt(left + columns).index }
}

/** The cells that the whole line takes. */
export const cellsOf = (line: string): number => rulerOf(line).placeAt(Number.POSITIVE_INFINITY).cell
