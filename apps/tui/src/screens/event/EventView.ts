import { listOf } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import { keyFor } from "../../actions/Action.ts"
import type { Area } from "../../view/Area.ts"
import { fact, paragraph } from "../../view/Fact.ts"
import { inset, row, type Row, ruleOver, span } from "../../view/Row.ts"
import { isWideEvent, stepRoom } from "../Layout.ts"
import { type EventScreen, failureHere, linesOf } from "./EventScreen.ts"
import { explanation } from "./Explanation.ts"
import { waterfall } from "./Waterfall.ts"
import { alikeText } from "../events/EventPreview.ts"
import { eventPanels } from "./EventPanels.ts"
import { payloadRows } from "./EventSummary.ts"
import { momentOf } from "../../view/Times.ts"

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

/** Why an event may have no jobs. */
const withoutJobs = (columns: number): ReadonlyArray<Row> =>
  paragraph(
    "the event has no jobs: nothing was triggered for it, or the service no longer keeps them",
    columns - 4,
    "dim"
  ).map((line) => row([span("  "), ...line.spans], columns))

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
  const all = linesOf(screen).length
  const top = [
    ...about(screen, state, columns),
    ...waterfall(screen, state, columns, stepRoom(area, all)),
    ...(all === 0 ? withoutJobs(columns) : [])
  ]
  const foot = height - top.length
  if (isWideEvent(area)) return [...top, ...eventPanels(state, screen, { columns, height: foot })]
  const cause = explanation(screen, state, columns - 2, foot - 1, true)
  const below = [...cause, ...around(screen, state, columns - 2, foot - 1 - cause.length)].map(inset(1))
  if (below.length === 0) return top
  return [
    ...top,
    ruleOver(below, { columns, height: foot - 1 }, state.settings.glyphs.line, keyFor(state, "show all of it")),
    ...below.slice(0, foot - 1)
  ]
}
