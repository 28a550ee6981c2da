import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { wrap } from "@signalbox/operator/text/Width"
import type { Problem } from "@signalbox/operator/report/ProblemReport"
import { cell, inset, row, type Row, span, type Tone } from "./Row.ts"

/** How a fact is drawn; a dim label of eleven cells before plain text when not given. */
export interface FactLook {
  readonly labelColumns?: number
  readonly labelTone?: Tone
  readonly tone?: Tone
}

/** A label and its text, which continues on the next row where one row is too short. */
export const fact = (
  label: string,
  text: string,
  columns: number,
  { labelColumns = 11, labelTone = "dim", tone = "plain" }: FactLook = {}
): ReadonlyArray<Row> =>
  wrap(cleanLine(text), Math.max(10, columns - labelColumns)).map((line, index) =>
    // An empty label has no tone: an underlined one would show.
    row([index === 0 ? cell(label, labelColumns, labelTone) : cell("", labelColumns), span(line, tone)], columns)
  )

/** Wraps a string over as many rows as it needs. */
export const paragraph = (text: string, columns: number, tone: Tone = "plain"): ReadonlyArray<Row> =>
  wrap(cleanLine(text), columns).map((line) => row([span(line, tone)], columns))

/** The problem in full: the failure, the facts to quote, and the next step. */
export const problemRows = ({ advice, requestId, summary }: Problem, copyKey: string, columns: number) => {
  const id = requestId === undefined ? "" : `request ${requestId}; `
  return [
    ...paragraph(`${summary} (${id}${copyKey} copies this)`, columns - 2, "failed"),
    ...(advice === "" ? [] : paragraph(advice, columns - 2, "notice"))
  ].map(inset(1))
}
