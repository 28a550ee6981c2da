import { type ActivityJob, type ExecutionDetail, inOrder } from "@signalbox/core/Records"
import { keyFor } from "../../actions/Action.ts"
import { diagnose } from "@signalbox/operator/diagnosis/Diagnosis"
import { counted } from "@signalbox/operator/text/Counted"
import { detailKind, jobResult } from "@signalbox/operator/status/Status"
import { cleanLines } from "@signalbox/operator/outlet/Outlet"
import { wrap } from "@signalbox/operator/text/Width"
import type { State } from "../../state/State.ts"
import { fact } from "../../view/Fact.ts"
import { toneOf } from "../../view/Result.ts"
import { column, row, type Row, span } from "../../view/Row.ts"
import { jsonText } from "../text/TextScreen.ts"
import { currentLine, type EventScreen, type Line } from "./EventScreen.ts"
import { why } from "./EventSummary.ts"
import { jobFacts } from "./JobFacts.ts"
import { zoneOf } from "../../view/Times.ts"

/** The execution detail that decided a job, with what a digest collected. */
export const lastDetail = (line: Extract<Line, { readonly _tag: "Job" }>): string => {
  const { job } = line
  const shown = jobResult(job).decidedBy ?? job.executionDetails.at(-1)
  const digested = job.digest?.events?.length ?? 0
  const count = digested > 0 ? `${counted(digested, "event")} digested; ` : ""
  return `${count}${shown?.detail ?? "no execution detail"}`
}

const rawRows = (detail: ExecutionDetail, key: string, columns: number, height: number): ReadonlyArray<Row> => {
  const rows = cleanLines(jsonText((detail.raw ?? "").slice(0, 20_000)))
    .flatMap((line) => {
      const indent = " ".repeat(Math.min(line.length - line.trimStart().length, Math.floor(columns / 2)))
      return wrap(line.trimStart(), columns - indent.length).map((part) => indent + part)
    })
    .map((line) => row([span(line)], columns))
  return rows.length <= height
    ? rows
    : [...rows.slice(0, Math.max(0, height - 1)), row([span(`${key} shows all of it`, "dim")], columns)]
}

/** The execution details of a job in a panel: those that are folded in the list of steps. */
const detailRows = (job: ActivityJob, state: State, columns: number): ReadonlyArray<Row> => {
  const details = inOrder(job)
  if (details.length === 0) return []
  return [
    row([], columns, { spoken: "" }),
    row([span("DETAILS", "title"), span(`  ${keyFor(state, "unfold")} unfolds them above`, "dim")], columns),
    ...details.map((detail) => {
      const at = Date.parse(detail.createdAt ?? "")
      return row(
        [
          column(zoneOf(state).preciseClock(at), 13, "dim"),
          column(detail.status, 9, toneOf(detailKind(detail))),
          column(detail.source, 12, "dim"),
          span(detail.detail)
        ],
        columns
      )
    })
  ]
}

/** Explains the line under the cursor: its cause and next step, the service's message, the raw response or facts. */
export const explanation = (
  screen: EventScreen,
  state: State,
  columns: number,
  height: number,
  short: boolean
): ReadonlyArray<Row> => {
  const line = currentLine(screen)
  const cause = why(diagnose(screen.event, line?.job), screen.event, state, columns)
  if (line === undefined) return cause
  if (line._tag === "Job") {
    return [
      ...cause,
      ...(cause.length > 0 && !short ? [row([], columns, { spoken: "" })] : []),
      ...fact("message", lastDetail(line), columns),
      ...jobFacts(line.job, columns),
      ...(short || line.unfolded ? [] : detailRows(line.job, state, columns))
    ]
  }
  const { detail } = line
  const gap = short ? [] : [row([], columns, { spoken: "" })]
  const heading = [
    ...cause,
    ...gap,
    ...fact("SAID", `${detail.detail} (${detail.status} from ${detail.source})`, columns, {
      labelColumns: 6,
      labelTone: "title"
    })
  ]
  return (detail.raw ?? "") === ""
    ? heading
    : [
        ...heading,
        ...gap,
        row([span("RAW", "title")], columns),
        ...rawRows(detail, keyFor(state, "open line"), columns, height - heading.length - gap.length - 1)
      ]
}
