import type { CauseNews } from "@signalbox/operator/connections/KnownCauses"
import { keyFor } from "../../actions/Action.ts"
import { maskedText } from "../../state/Masking.ts"
import { covered, failedOf, failedOfReadable } from "@signalbox/operator/diagnosis/Coverage"
import { groupDiagnosis } from "@signalbox/operator/diagnosis/FailureGroup"
import { waitingFor } from "@signalbox/operator/diagnosis/FixReach"
import { ownerNames } from "@signalbox/operator/diagnosis/Owner"
import { counted } from "@signalbox/operator/text/Counted"
import { shortAge } from "@signalbox/operator/text/Moment"
import type { Onset } from "@signalbox/operator/window/Sample"
import { whyReadOnly } from "../../state/Connection.ts"
import { listOf } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import type { Area } from "../../view/Area.ts"
import { sparkline } from "../../view/Bars.ts"
import { fact } from "../../view/Fact.ts"
import { block, cell, endsThatFit, inset, row, type Row, rule, span } from "../../view/Row.ts"
import { reachIn } from "../event/CredentialChange.ts"
import { type EventsScreen, isChosenCause } from "../events/EventsScreen.ts"
import { trendBars, trendOf } from "../events/Incident.ts"
import { coverageIn } from "../events/LoadedEvents.ts"
import { relatedRows, subscriberAndWorkflow } from "../events/RelatedEvents.ts"
import { onsetText } from "../events/SampleText.ts"
import { causesFoot } from "../Layout.ts"
import { causesOf, newsHere, type NumberedCause, workflowsOf } from "./Causes.ts"
import type { CausesScreen } from "./CausesScreen.ts"
import { momentOf, zoneOf } from "../../view/Times.ts"
import { listRowsOf } from "../../view/ListRows.ts"

type Change = "new" | "grown" | undefined

/** Cells of the columns; `0` leaves a column out. Each includes the space that parts it from the next. */
interface Columns {
  readonly title: number
  readonly trend: number
  readonly fix: number
  readonly subscribers: number
  readonly workflows: number
  readonly first: number
  readonly last: number
}

const fixed = 11

const columnsFor = (columns: number, hasOnsets: boolean): Columns => {
  const trend = columns >= 76 ? trendBars + 1 : 0
  const fix = columns >= 76 ? 18 : 14
  const subscribers = columns >= 100 ? 9 : 0
  const workflows = columns >= 110 ? 9 : 0
  // The time of an onset has its precision: 23 Nov 21:19 ±10m.
  const first = columns < 90 ? 0 : hasOnsets ? 19 : 15
  const last = 7
  const title = columns - fixed - trend - fix - subscribers - workflows - first - last
  return { title, trend, fix, subscribers, workflows, first, last }
}

const titles = (width: Columns, { order }: CausesScreen, columns: number): Row => {
  const part = (name: string, cells: number, sorts: CausesScreen["order"] | undefined) =>
    cells === 0 ? [] : [cell(name, cells, sorts === order ? "strong" : "dim")]
  return row(
    [
      ...part("  #", 5, "number"),
      ...part("COUNT", 6, "count"),
      ...part("TREND", width.trend, undefined),
      ...part("CAUSE", width.title, undefined),
      ...part("WHO CAN FIX", width.fix, undefined),
      ...part("SUBSCR.", width.subscribers, "subscribers"),
      ...part("WORKFL.", width.workflows, undefined),
      ...part("FIRST", width.first, "first"),
      ...part("LAST", width.last, "last")
    ],
    columns,
    { spoken: "" }
  )
}

/** The owner, and the key of the form where credentials of some subscribers are the fix. */
const fixSpans = ({ group }: NumberedCause, list: EventsScreen, state: State, cells: number) => {
  const reach = reachIn(group, list.events, state.facts)
  const { open } = reach
  const changed = waitingFor(reach)
  const canFix = open.length > 0 && whyReadOnly(state.connection) === undefined
  const keys = canFix ? `${keyFor(state, "fix the cause")} ` : ""
  const text = open.length > 0 ? `fixes ${open.length}` : changed > 0 ? `${changed} changed` : ownerNames[group.owner]
  return [span(keys, "key"), cell(text, cells - keys.length, canFix ? "notice" : "dim")]
}

/** The first failure that is loaded, or the onset that a sample found. */
const firstText = (onset: Onset | undefined, firstSeen: number | undefined, state: State): string => {
  const { moment } = zoneOf(state)
  if (onset?._tag === "Began") return `${moment(onset.at, state.now)} ±${Math.ceil(onset.precisionMs / 60_000)}m`
  return firstSeen === undefined ? "" : moment(firstSeen, state.now)
}

/** How many a cause affects and since when it lasts, which narrow columns leave out: of two wordings the one that fits. */
const reachText = ({ group }: NumberedCause, { sampled }: EventsScreen, state: State, columns: number): string => {
  const onset = sampled?.onsets.get(group.cause)
  const { firstSeen } = group
  // A sample has not seen all failures; an older one may be loaded.
  const known =
    onset?._tag === "Intermittent" && firstSeen !== undefined && firstSeen < onset.firstSeen
      ? { ...onset, firstSeen }
      : onset
  const since = known === undefined ? `first ${momentOf(state, firstSeen)}` : onsetText(known, state)
  const subscribers = counted(group.subscribers.length, "subscriber")
  const whole = `${subscribers}, ${counted(workflowsOf(group), "workflow")}, ${since}`
  return whole.length <= columns ? whole : `${subscribers}, ${since}`
}

const causeCells = (cause: NumberedCause, list: EventsScreen, state: State, change: Change, width: Columns) => {
  const { group, number } = cause
  const news = change === undefined ? "" : `${change.toUpperCase()} `
  const { glyphs } = state.settings
  const { firstSeen, lastSeen } = group
  const last = lastSeen === undefined ? "" : shortAge(lastSeen, state.now)
  const optional = (text: string, cells: number) => (cells === 0 ? [] : [cell(text, cells, "dim")])
  return {
    cells: [
      span(isChosenCause(list, group.cause) ? glyphs.selected : " ", "accent"),
      cell(String(number), 3, "key"),
      cell(`${String(group.events.length).padStart(5)} `, 6, "strong"),
      ...(width.trend === 0 ? [] : [cell(sparkline(trendOf(list.events, group), glyphs), width.trend, "failed")]),
      span(news, "warning"),
      cell(group.title, width.title - 1 - news.length),
      span(" "),
      ...fixSpans(cause, list, state, width.fix),
      ...optional(String(group.subscribers.length).padStart(7), width.subscribers),
      ...optional(String(workflowsOf(group)).padStart(7), width.workflows),
      ...optional(firstText(list.sampled?.onsets.get(group.cause), firstSeen, state), width.first),
      cell(last, width.last, "dim")
    ],
    words: `cause ${number}: ${news.toLowerCase()}${counted(group.events.length, "event")}, ${group.title}, ${ownerNames[group.owner]}, last ${last} ago`
  }
}

const newsText = (news: CauseNews | undefined, state: State, columns: number): string => {
  if (news === undefined) return `${keyFor(state, "sort causes")} sorts`
  const count = (kind: string) => Array.from(news.changes.values()).filter((change) => change === kind).length
  const since = columns >= 100 ? ` since ${momentOf(state, news.since)}` : ""
  return `${count("new")} new, ${count("grown")} grown, ${news.gone} gone${since}`
}

/** The note, and until when nothing alerts about the cause. */
const keptRows = (cause: string, state: State, columns: number): ReadonlyArray<Row> => {
  const { connection, now, settings } = state
  const { note, silentUntil = 0 } = connection.known?.causes.get(cause) ?? {}
  const silent = silentUntil > now ? `silent until ${momentOf(state, silentUntil)}` : ""
  const parts = [silent, note === undefined ? "" : settings.masked ? maskedText(note) : note].filter(
    (part) => part !== ""
  )
  return parts.length === 0 ? [] : fact("NOTE", parts.join("; "), columns, { labelColumns: 7, labelTone: "title" })
}

/** Events of a cause that a screen has room for. */
const newestShown = 60

const details = ({ group }: NumberedCause, list: EventsScreen, state: State, columns: number): ReadonlyArray<Row> => {
  const diagnosis = groupDiagnosis(group)
  if (diagnosis === undefined) return []
  const part = (label: string, text: string) => fact(label, text, columns, { labelColumns: 7, labelTone: "title" })
  const sent = waitingFor(reachIn(group, list.events, state.facts))
  const all = counted(group.subscribers.length, "subscriber")
  const shown = group.events.slice(0, newestShown)
  return [
    ...keptRows(group.cause, state, columns),
    ...(sent === 0 ? [] : part("SENT", `credentials of ${sent} of ${all}; each counts until its next message`)),
    ...part("WHY", diagnosis.cause),
    ...part("NEXT", diagnosis.advice),
    ...part("WHO", diagnosis.ownerNote),
    ...relatedRows(shown, state, columns, { name: subscriberAndWorkflow(shown), reason: false })
  ]
}

/** Every cause of the loaded failures, and what to do about the one under the cursor. */
export const causesView = (state: State, screen: CausesScreen, { columns, height }: Area): ReadonlyArray<Row> => {
  const list = listOf(state)
  const causes = causesOf(state, screen)
  if (list === undefined) return []
  const room = Math.min(height - 2 - causesFoot(height), Math.max(1, causes.length))
  // The rows that a short list leaves are for the cause.
  const foot = height - 2 - room
  const width = columnsFor(columns, list.sampled !== undefined)
  const coverage = coverageIn(list.events)
  const time = covered(coverage)
  const news = newsHere(state, list)
  const here = causes[screen.cursor.at]
  const seen = { cursor: screen.cursor, height: room, columns, sign: state.settings.glyphs.cursor }
  const rows = listRowsOf(causes, seen, (cause) =>
    causeCells(cause, list, state, news?.changes.get(cause.group.cause), width)
  )
  const order = ` ${counted(causes.length, "cause")}, by ${screen.order}`
  const fresh = span(list.fresh.length === 0 ? "" : `+${list.fresh.length} new in the list  `, "notice")
  const counts = [`${failedOf(coverage)} loaded`, failedOfReadable(coverage)].map((text) => [
    fresh,
    span(`${text}${time === undefined ? "" : `, ${time}`} `)
  ])
  return [
    endsThatFit([[span(`${order}; ${newsText(news, state, columns)}`, "dim")], [span(order, "dim")]], counts, columns),
    titles(width, screen, columns),
    ...block(rows.length === 0 ? [row([span("  no loaded event has failed", "dim")], columns)] : rows, room, columns),
    rule(
      columns,
      state.settings.glyphs.line,
      here === undefined ? undefined : reachText(here, list, state, columns - 4)
    ),
    ...block(here === undefined ? [] : details(here, list, state, columns - 2).map(inset(1)), foot - 1, columns)
  ]
}
