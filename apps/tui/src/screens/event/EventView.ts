import type { ExecutionDetail } from "@signalbox/core/Activity"
import type { State } from "../../state/State.ts"
import { jobResult } from "@signalbox/operator/status/Status"
import { safeLines } from "@signalbox/operator/text/Safe"
import { counted } from "@signalbox/operator/text/Counted"
import { wrap } from "@signalbox/operator/text/Width"
import type { Area } from "../../view/Area.ts"
import { duration, moment, preciseClock } from "@signalbox/operator/text/Moment"
import { fact, paragraph } from "../../view/Fact.ts"
import { detailKind, signOf, stepName, toneOf } from "../../view/Result.ts"
import { beside, block, cell, clipped, column, inset, row, type Row, ruleOver, span } from "../../view/Row.ts"
import { countOf } from "../events/UnreadableParts.ts"
import { jsonText } from "../text/TextScreen.ts"
import { eventFoot, split } from "../Layout.ts"
import { fullTextKey } from "../../view/FullTextKey.ts"
import { currentLine, type EventScreen, type Line, linesOf } from "./EventScreen.ts"
import { why } from "./EventSummary.ts"
import { jobFacts } from "./JobFacts.ts"
import { axis, bar, type Axis } from "./Timeline.ts"

const barColumns = (columns: number): number => (columns >= 76 ? 14 : columns >= 66 ? 8 : 0)

/** Whether there is room for how long a job took. */
const hasTook = (columns: number): boolean => columns >= 66

const about = (screen: EventScreen, state: State, columns: number): ReadonlyArray<Row> => {
  const { event } = screen
  const { subscriber } = event
  const name = [subscriber?.firstName, subscriber?.lastName].filter((part) => part !== undefined).join(" ")
  const facts = [
    event.severity === undefined || event.severity === "none" ? "" : `severity ${event.severity}`,
    event.critical === true ? "critical" : "",
    event.tags === undefined || event.tags.length === 0 ? "" : `tags ${event.tags.join(", ")}`,
    event.topics === undefined || event.topics.length === 0
      ? ""
      : `topic ${event.topics.map(({ topicKey }) => topicKey).join(", ")}`,
    event.contextKeys === undefined || event.contextKeys.length === 0 ? "" : `context ${event.contextKeys.join(", ")}`
  ].filter((fact) => fact !== "")
  return [
    row(
      [
        span(" to ", "dim"),
        span(subscriber?.subscriberId ?? "(subscriber deleted)", "strong"),
        span(`  ${name}`),
        span("   at ", "dim"),
        span(`${moment(event.createdAt, state.now)}Z`)
      ],
      columns
    ),
    row([span(" txn ", "dim"), span(event.transactionId), span(`   ${facts.join("   ")}`, "dim")], columns)
  ]
}

const lastDetail = (line: Extract<Line, { readonly _tag: "Job" }>): string => {
  const { job } = line
  const shown = jobResult(job).decidedBy ?? job.executionDetails.at(-1)
  const digested = job.digest?.events?.length ?? 0
  const count = digested > 0 ? `${counted(digested, "event")} digested; ` : ""
  return `${count}${shown?.detail ?? "no execution detail"}`
}

const jobRow = (
  line: Extract<Line, { readonly _tag: "Job" }>,
  selected: boolean,
  scale: Axis,
  state: State,
  columns: number
): Row => {
  const { glyphs } = state.settings
  const { job } = line
  const result = jobResult(job)
  const fold = job.executionDetails.length === 0 ? " " : line.unfolded ? glyphs.unfolded : glyphs.folded
  const width = barColumns(columns)
  const took = scale.took(job)
  const status = `${signOf(result.kind, glyphs)} ${job.status}`
  return row(
    [
      span(selected ? glyphs.cursor : " ", "accent"),
      span(`${fold} `, "dim"),
      column(stepName(job), 17, "strong"),
      column(job.providerId ?? job.type, 12, "dim"),
      column(status, 12, toneOf(result.kind)),
      ...(hasTook(columns) ? [column(took === undefined ? "" : duration(took), 8, "dim")] : []),
      ...(width === 0 ? [] : [...bar(scale, job, width - 1, glyphs), span(" ")]),
      span(lastDetail(line), result.kind === "failed" ? "failed" : "plain")
    ],
    columns,
    {
      selected,
      spoken: `${selected ? "selected, " : ""}${stepName(job)} by ${job.providerId ?? job.type}: ${result.word}, ${lastDetail(line)}`
    }
  )
}

const detailRow = (detail: ExecutionDetail, selected: boolean, state: State, columns: number): Row => {
  const { glyphs } = state.settings
  const kind = detailKind(detail)
  const at = detail.createdAt === undefined ? Number.NaN : Date.parse(detail.createdAt)
  const flags = `${detail.isRetry ? " (retry)" : ""}${detail.isTest ? " (test)" : ""}`
  return row(
    [
      span(selected ? glyphs.cursor : " ", "accent"),
      span("    "),
      column(Number.isNaN(at) ? "no time" : preciseClock(at), 13, "dim"),
      column(`${signOf(kind, glyphs)} ${detail.status}`, 12, toneOf(kind)),
      column(detail.source, 12, "dim"),
      span(detail.detail + flags, kind === "failed" ? "failed" : "plain")
    ],
    columns,
    {
      selected,
      spoken: `${selected ? "selected, " : ""}${detail.status} from ${detail.source}: ${detail.detail}${flags}`
    }
  )
}

/** Why an event may have no jobs. */
const noJobs = ({ screens }: State): string =>
  screens.some((list) => list._tag === "Events" && countOf(list.unreadable) > 0)
    ? "the event has no jobs that could be read: U on the list shows what was left out of the answer"
    : "the event has no jobs: nothing was triggered for it, or the service no longer keeps them"

const timeline = (screen: EventScreen, state: State, columns: number, height: number): ReadonlyArray<Row> => {
  const all = linesOf(screen)
  const scale = axis(screen.event)
  const width = barColumns(columns)
  const title = row(
    [
      span("   "),
      cell("STEP", 17, "dim"),
      cell("PROVIDER", 12, "dim"),
      cell("STATUS", 12, "dim"),
      ...(hasTook(columns) ? [cell("TOOK", 8, "dim")] : []),
      ...(width === 0 ? [] : [cell(scale.broken ? "TIME (cut)" : "TIME", width, "dim")]),
      span("LAST DETAIL", "dim")
    ],
    columns,
    { spoken: "" }
  )
  if (all.length === 0) {
    return [
      title,
      ...paragraph(noJobs(state), columns - 4, "dim").map((line) => row([span("  "), ...line.spans], columns))
    ]
  }
  const { top } = screen.cursor
  const rows = all.slice(top, top + height - 1).map((line, index) => {
    const selected = top + index === screen.cursor.at
    return line._tag === "Job"
      ? jobRow(line, selected, scale, state, columns)
      : detailRow(line.detail, selected, state, columns)
  })
  return block([title, ...rows], height, columns)
}

const rawRows = (detail: ExecutionDetail, columns: number, height: number): ReadonlyArray<Row> => {
  const rows = safeLines(jsonText((detail.raw ?? "").slice(0, 20_000)))
    .flatMap((line) => {
      const indent = " ".repeat(Math.min(line.length - line.trimStart().length, Math.floor(columns / 2)))
      return wrap(line.trimStart(), columns - indent.length).map((part) => indent + part)
    })
    .map((line) => row([span(line)], columns))
  return rows.length <= height
    ? rows
    : [...rows.slice(0, Math.max(0, height - 1)), row([span("enter shows all of it", "dim")], columns)]
}

/** Why the line under the cursor is as it is: cause and next step, what was said, raw text or facts. */
export const explanation = (
  screen: EventScreen,
  columns: number,
  height: number,
  short: boolean
): ReadonlyArray<Row> => {
  const line = currentLine(screen)
  const cause = why(screen.event, line?.job, columns, { heading: false })
  if (line === undefined) return cause
  if (line._tag === "Job") {
    return [
      ...cause,
      ...(cause.length > 0 && !short ? [row([], columns, { spoken: "" })] : []),
      ...fact("said", lastDetail(line), columns),
      ...jobFacts(line.job, columns)
    ]
  }
  const { detail } = line
  const gap = short ? [] : [row([], columns, { spoken: "" })]
  const said = [
    ...cause,
    ...gap,
    ...fact("SAID", `${detail.detail} (${detail.status} from ${detail.source})`, columns, {
      labelColumns: 6,
      labelTone: "title"
    })
  ]
  return (detail.raw ?? "") === ""
    ? said
    : [
        ...said,
        ...gap,
        row([span("RAW", "title")], columns),
        ...rawRows(detail, columns, height - said.length - gap.length - 1)
      ]
}

/** One event: jobs and execution details over time, the cause of the line under the cursor and its raw text. */
export const eventView = (state: State, screen: EventScreen, { columns, height }: Area): ReadonlyArray<Row> => {
  const head = about(screen, state, columns)
  const rest = height - head.length
  const { list, pane } = split(columns)
  if (pane > 0) {
    const right = explanation(screen, pane - 2, rest, false).map(inset(1))
    return [
      ...head,
      ...beside(
        timeline(screen, state, list, rest),
        list,
        span(state.settings.glyphs.bar, "dim"),
        clipped(right, { columns: pane, height: rest }, fullTextKey),
        pane
      )
    ]
  }
  const foot = eventFoot(height, linesOf(screen).length)
  const below = explanation(screen, columns - 2, foot - 1, true).map(inset(1))
  return [
    ...head,
    ...timeline(screen, state, columns, rest - foot),
    ruleOver(below, { columns, height: foot - 1 }, state.settings.glyphs.line, fullTextKey),
    ...block(below, foot - 1, columns)
  ]
}
