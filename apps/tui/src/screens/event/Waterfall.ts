import type { ExecutionDetail } from "@signalbox/core/Records"
import { detailKind, jobResult } from "@signalbox/operator/status/Status"
import { duration } from "@signalbox/operator/text/Moment"
import type { State } from "../../state/State.ts"
import { signOf, stepName, toneOf } from "../../view/Result.ts"
import { cell, column, endsThatFit, fitSpans, row, type Row, type Span, span, spansWidth } from "../../view/Row.ts"
import { type EventScreen, type Line, linesOf } from "./EventScreen.ts"
import { axis, type Axis, bar } from "./Timeline.ts"
import { zoneOf } from "../../view/Times.ts"
import { listRowsOf } from "../../view/ListRows.ts"

/** The fewest cells in which bars say anything. */
const leastBars = 16

/** Cells of the text next to the bars; all of them where too few are left for bars. */
const textColumns = (columns: number): number => {
  const text = Math.max(58, Math.floor(columns * 0.46))
  return columns - text > leastBars ? text : columns
}

type JobLine = Extract<Line, { readonly _tag: "Job" }>

const jobText = ({ job, unfolded }: JobLine, scale: Axis, state: State): ReadonlyArray<Span> => {
  const { glyphs } = state.settings
  const result = jobResult(job)
  const took = scale.took(job)
  return [
    span(`${job.executionDetails.length === 0 ? " " : unfolded ? glyphs.unfolded : glyphs.folded} `, "dim"),
    span(`${signOf(result.kind, glyphs)} `, toneOf(result.kind)),
    column(stepName(job), 19),
    column(job.type, 9, "dim"),
    column(job.providerId ?? "", 13, "dim"),
    span((took === undefined ? "" : duration(took)).padStart(8))
  ]
}

const detailText = (detail: ExecutionDetail, state: State): ReadonlyArray<Span> => {
  const kind = detailKind(detail)
  const at = Date.parse(detail.createdAt ?? "")
  const flags = `${detail.isRetry ? " (retry)" : ""}${detail.isTest ? " (test)" : ""}`
  return [
    span(`    ${signOf(kind, state.settings.glyphs)} `, toneOf(kind)),
    column(zoneOf(state).preciseClock(at), 13, "dim"),
    span(detail.detail + flags, kind === "failed" ? "failed" : "plain")
  ]
}

/** An execution detail as a sign at its time on the axis. */
const tick = (detail: ExecutionDetail, scale: Axis, columns: number, state: State): ReadonlyArray<Span> => {
  const at = Date.parse(detail.createdAt ?? "")
  if (Number.isNaN(at) || columns === 0) return [span(" ".repeat(columns))]
  const place = Math.min(columns - 1, Math.floor(scale.place(at) * columns))
  const kind = detailKind(detail)
  return [
    span(" ".repeat(place)),
    span(signOf(kind, state.settings.glyphs), toneOf(kind)),
    span(" ".repeat(columns - place - 1))
  ]
}

/** Times since the start at each quarter of the axis, as many as fit between the labels at its ends. */
const marks = (length: number, columns: number, first: number, last: number): string => {
  let drawn = ""
  for (const quarter of [1, 2, 3]) {
    const text = `+${duration((length * quarter) / 4)}`
    const at = Math.floor(((columns - 1) * quarter) / 4) - first
    if (at <= drawn.length || first + at + text.length + 1 >= columns - last) continue
    drawn = `${drawn.padEnd(at)}${text}`
  }
  return drawn
}

/** The first and the last time on the axis, how long it is, and whether waits are cut. */
const scaleRow = (screen: EventScreen, scale: Axis, state: State, columns: number): Row => {
  const stretches = (screen.event.jobs ?? []).flatMap((job) => scale.stretch(job) ?? [])
  const from = Math.min(...stretches.map((stretch) => stretch.from))
  const to = Math.max(...stretches.map((stretch) => stretch.to))
  const text = textColumns(columns)
  const titles = [span("    "), cell("STEP", 19, "dim"), cell("TYPE", 9, "dim"), cell("PROVIDER", 13, "dim")]
  const took = cell("    TOOK", text - 1 - spansWidth(titles), "dim")
  if (stretches.length === 0 || text === columns) return row([span(" "), ...titles, took], columns, { spoken: "" })
  const { gap } = state.settings.glyphs
  // Within seconds, the times differ only in what a clock does not show.
  const zone = zoneOf(state)
  const time = to - from < 10_000 ? zone.preciseClock : zone.clock
  const first = time(from)
  const length = duration(to - from)
  const last = `${time(to)} (${length}) `
  const middle = scale.broken
    ? `  ${gap}${gap} long waits are cut ${gap}${gap}`
    : marks(to - from, columns - text, first.length, last.length)
  const right = endsThatFit(
    [`${first}${middle}`, first, ""].map((words) => [span(words, "dim")]),
    [last, `${length} `].map((words) => [span(words, "dim")]),
    columns - text
  )
  return row([span(" "), ...titles, took, ...right.spans], columns, { spoken: "" })
}

/**
 * The titles and `height` lines of the steps over time: bars of jobs, and their execution details as signs where they
 * happened.
 */
export const waterfall = (screen: EventScreen, state: State, columns: number, height: number): ReadonlyArray<Row> => {
  const scale = axis(screen.event)
  const text = textColumns(columns)
  const bars = Math.max(0, columns - text - 1)
  const { glyphs } = state.settings
  const seen = { cursor: screen.cursor, height, columns, sign: glyphs.cursor, listed: false }
  const rows = listRowsOf(linesOf(screen), seen, (line) => {
    const facts = line._tag === "Job" ? jobText(line, scale, state) : detailText(line.detail, state)
    const drawn = line._tag === "Job" ? bar(scale, line.job, bars, glyphs) : tick(line.detail, scale, bars, state)
    // The words of a detail continue over the empty axis, up to its sign.
    const free = line._tag === "Job" ? 0 : Math.max(0, (drawn[0]?.text.trim() === "" ? drawn[0].text.length : 0) - 2)
    const words =
      line._tag === "Job"
        ? `${stepName(line.job)} by ${line.job.providerId ?? line.job.type}: ${jobResult(line.job).word}`
        : `${line.detail.status} from ${line.detail.source}: ${line.detail.detail}`
    const cells = [
      ...fitSpans(facts, text - 2 + free),
      span(" "),
      ...(free === 0 ? drawn : [span((drawn[0]?.text ?? "").slice(free)), ...drawn.slice(1)])
    ]
    return { cells, words }
  })
  return [scaleRow(screen, scale, state, columns), ...rows]
}
