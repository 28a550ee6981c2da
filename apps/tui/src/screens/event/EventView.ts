import type { ExecutionDetail } from "@signalbox/core/Records"
import { listOf } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import { keyFor } from "../../actions/Action.ts"
import { detailKind, jobResult } from "@signalbox/operator/status/Status"
import type { Area } from "../../view/Area.ts"
import { duration } from "@signalbox/operator/text/Moment"
import { fact, paragraph } from "../../view/Fact.ts"
import { signOf, stepName, toneOf } from "../../view/Result.ts"
import { asItem, block, cell, column, inset, row, type Row, ruleOver, span } from "../../view/Row.ts"
import { eventHead, isWideEvent, listRows, waterfallHeight } from "../Layout.ts"
import { type EventScreen, failureHere, type Line, linesOf } from "./EventScreen.ts"
import { axis, bar, type Axis } from "./Timeline.ts"
import { explanation, lastDetail } from "./Explanation.ts"
import { waterfall } from "./Waterfall.ts"
import { alikeText } from "../events/EventPreview.ts"
import { eventPanels } from "./EventPanels.ts"
import { payloadRows } from "./EventSummary.ts"
import { momentOf, zoneOf } from "../../view/Times.ts"

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
        span(momentOf(state, event.createdAt))
      ],
      columns
    ),
    row([span(" txn ", "dim"), span(event.transactionId), span(`   ${facts.join("   ")}`, "dim")], columns)
  ]
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
      spoken: `${selected ? "current, " : ""}${stepName(job)} by ${job.providerId ?? job.type}: ${result.word}, ${lastDetail(line)}`
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
      column(zoneOf(state).preciseClock(at), 13, "dim"),
      column(`${signOf(kind, glyphs)} ${detail.status}`, 12, toneOf(kind)),
      column(detail.source, 12, "dim"),
      span(detail.detail + flags, kind === "failed" ? "failed" : "plain")
    ],
    columns,
    {
      selected,
      spoken: `${selected ? "current, " : ""}${detail.status} from ${detail.source}: ${detail.detail}${flags}`
    }
  )
}

/** Why an event may have no jobs. */
const withoutJobs = (columns: number): ReadonlyArray<Row> =>
  paragraph(
    "the event has no jobs: nothing was triggered for it, or the service no longer keeps them",
    columns - 4,
    "dim"
  ).map((line) => row([span("  "), ...line.spans], columns))

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
  if (all.length === 0) return [title, ...withoutJobs(columns)]
  const { top } = screen.cursor
  const rows = all.slice(top, top + height - 1).map((line, index) => {
    const selected = top + index === screen.cursor.at
    const drawn =
      line._tag === "Job"
        ? jobRow(line, selected, scale, state, columns)
        : detailRow(line.detail, selected, state, columns)
    return asItem(drawn, top + index)
  })
  return block([title, ...rows], height, columns)
}

/** How many failures are alike, and the payload, where the cause leaves room for them. */
const around = (screen: EventScreen, state: State, columns: number, height: number): ReadonlyArray<Row> => {
  const list = listOf(state)
  const alike = list === undefined ? undefined : alikeText(failureHere(screen), list, state)
  const rows = alike === undefined ? [] : fact("ALIKE", alike, columns, { labelColumns: 6, labelTone: "title" })
  if (rows.length > height) return []
  const payload = payloadRows(screen.event, state, columns, height - rows.length - 1)
  return payload.length === 0 ? rows : [...rows, row([], columns, { spoken: "" }), ...payload]
}

/** One event: jobs and execution details over time, the cause of the line under the cursor and its raw text. */
export const eventView = (state: State, screen: EventScreen, area: Area): ReadonlyArray<Row> => {
  const { columns, height } = area
  const head = about(screen, state, columns)
  const all = linesOf(screen).length
  if (isWideEvent(area)) {
    const steps = waterfall(screen, state, columns, waterfallHeight(height, all))
    const top = all === 0 ? [...steps, ...withoutJobs(columns)] : steps
    return [...head, ...top, ...eventPanels(state, screen, { columns, height: height - head.length - top.length })]
  }
  const foot = height - eventHead - listRows(height - eventHead, all)
  const cause = explanation(screen, state, columns - 2, foot - 1, true)
  const below = [...cause, ...around(screen, state, columns - 2, foot - 1 - cause.length)].map(inset(1))
  return [
    ...head,
    ...timeline(screen, state, columns, height - head.length - foot),
    ...(below.length === 0
      ? []
      : [ruleOver(below, { columns, height: foot - 1 }, state.settings.glyphs.line, keyFor(state, "show all of it"))]),
    ...below.slice(0, foot - 1)
  ]
}
