import type { ActivityNotification } from "@signalbox/core/Activity"
import type { FailureGroup } from "@signalbox/operator/diagnosis/FailureGroup"
import { eventResult } from "@signalbox/operator/status/Status"
import { shortAge } from "@signalbox/operator/text/Moment"
import { safe } from "@signalbox/operator/text/Safe"
import { truncate, truncateMiddle, width as cellsOf } from "@signalbox/operator/text/Width"
import type { State } from "../../state/State.ts"
import { signOf, steps, toneOf } from "../../view/Result.ts"
import { cell, row, type Row, rule, type Span, span } from "../../view/Row.ts"
import { isInRange } from "../Selection.ts"
import { eventKey } from "./EventIndex.ts"
import { type EventsScreen, failuresIn, groupsOf, visible } from "./EventsScreen.ts"
import { subscriberName, summaryOf, workflowName } from "./LoadedEvents.ts"
import { zoneOf } from "../../view/Times.ts"

/** Cells of the columns of the list; `0` leaves a column out. Each includes the space that parts it from the next. */
export interface Columns {
  readonly time: number
  readonly workflow: number
  readonly subscriber: number
  readonly steps: number
  readonly why: number
  readonly age: number
}

/** The widest that an id is shown; longer ones are cut in their middle. */
const widestSubscriber = 37

/**
 * The cells of each column: the least for all, then the rest in turns for those that need more. Hidden events count, so
 * that no column moves when a filter changes.
 */
export const columnsFor = (screen: EventsScreen, columns: number): Columns => {
  const { widest } = summaryOf(screen.events)
  // Each with the space that parts it from the next column; before the title of a cause are its sign and number.
  const need = {
    workflow: widest.workflow + 1,
    subscriber: widest.subscriber + 1,
    steps: widest.steps * 3 + 1,
    why: widest.cause + 6
  }
  const widths = {
    workflow: 12,
    subscriber: 12,
    steps: columns >= 96 ? 13 : 0,
    why: columns >= 76 ? 22 : 19
  }
  const time = isDated(screen) ? 13 : 9
  const age = columns >= 76 ? 7 : 0
  let spare = columns - 2 - time - age - 1 - widths.workflow - widths.subscriber - widths.steps - widths.why
  const grant = (column: keyof typeof widths, upTo: number) => {
    const more = Math.max(0, Math.min(spare, upTo - widths[column]))
    widths[column] += more
    spare -= more
  }
  grant("subscriber", Math.min(need.subscriber, 16))
  grant("why", Math.min(need.why, 26))
  grant("workflow", Math.min(need.workflow, 18))
  grant("why", 30)
  if (widths.steps > 0) grant("steps", Math.min(need.steps, 22))
  grant("subscriber", Math.min(need.subscriber, widestSubscriber))
  grant("workflow", Math.min(need.workflow, 34))
  grant("why", columns)
  return { time, age, ...widths }
}

/** The titles of the columns. */
export const titles = (width: Columns, state: State, columns: number): Row =>
  row(
    [
      span("  "),
      cell(zoneOf(state).heading, width.time, "dim"),
      cell("WORKFLOW", width.workflow, "dim"),
      cell("SUBSCRIBER", width.subscriber, "dim"),
      ...(width.steps === 0 ? [] : [cell("STEPS", width.steps, "dim")]),
      cell("WHY", width.why, "dim"),
      ...(width.age === 0 ? [] : [cell("AGE".padStart(width.age - 1), width.age, "dim")])
    ],
    columns,
    { spoken: "" }
  )

const numberOf = (groups: ReadonlyArray<FailureGroup>, cause: string): string => {
  const at = groups.findIndex((group) => group.cause === cause)
  return at === -1 || at > 8 ? " " : String(at + 1)
}

/** Why the event failed, with the number of its failure group; the word for its result where it did not. */
const why = (event: ActivityNotification, screen: EventsScreen, state: State, width: number): ReadonlyArray<Span> => {
  const result = eventResult(event)
  const { glyphs } = state.settings
  const [failure, ...others] = failuresIn(screen, event)
  const sign = signOf(result.kind, glyphs)
  if (failure === undefined) return [cell(`${sign} ${result.word}`, width, toneOf(result.kind))]
  const more = others.length === 0 ? "" : ` +${others.length}`
  const title = truncate(safe(failure.title), Math.max(1, width - 5 - more.length))
  return [
    span(`${sign} `, "failed"),
    span(numberOf(groupsOf(screen), failure.cause), "key"),
    span(" "),
    span(title, "failed"),
    cell(more, width - 4 - cellsOf(title), "dim")
  ]
}

const spokenWhy = (event: ActivityNotification, screen: EventsScreen): string => {
  const titles = failuresIn(screen, event).map(({ title }) => title)
  return titles.length === 0 ? eventResult(event).word : `failed, ${titles.join(", ")}`
}

const timeOf = ({ createdAt }: ActivityNotification): number => Date.parse(createdAt ?? "")

/** Days of a list from which on they may be too many for a row each. */
const fewDays = 3

const dated = new WeakMap<ReadonlyArray<ActivityNotification>, boolean>()

/** Whether rows have a date instead of a separator for each day, which would take more than a quarter of the rows. */
const isDated = (screen: EventsScreen): boolean => {
  const events = visible(screen)
  const known = dated.get(events)
  if (known !== undefined) return known
  const days = new Set(events.map(({ createdAt }) => createdAt?.slice(0, 10))).size
  const made = days > fewDays && days > events.length / 4
  dated.set(events, made)
  return made
}

/** The row of one event. */
const eventRow = (
  event: ActivityNotification,
  at: number,
  screen: EventsScreen,
  state: State,
  width: Columns,
  columns: number
): Row => {
  const { glyphs } = state.settings
  const isCurrent = at === screen.cursor.at
  const isChosen = screen.selection.has(eventKey(event)) || isInRange(screen, at)
  const name = workflowName(event)
  const subscriber = subscriberName(event)
  const zone = zoneOf(state)
  const time = timeOf(event)
  const age = shortAge(time, state.now)
  return row(
    [
      // Few changes of tone before the preview: Ink repeats all of them when only the preview has changed.
      span(isCurrent ? glyphs.cursor : " ", isCurrent ? "accent" : "plain"),
      span(isChosen ? glyphs.selected : " ", isChosen ? "accent" : "plain"),
      cell(isDated(screen) ? zone.moment(event.createdAt, state.now) : zone.clock(time), width.time),
      cell(name, width.workflow - 1),
      span(" "),
      cell(truncateMiddle(safe(subscriber), width.subscriber - 1), width.subscriber),
      ...(width.steps === 0 ? [] : [...steps(event, width.steps - 1, state.settings), span(" ")]),
      ...why(event, screen, state, width.why),
      ...(width.age === 0 ? [] : [cell(age.padStart(width.age - 1), width.age, "dim")])
    ],
    columns,
    {
      selected: isCurrent,
      listed: true,
      spoken: `${isCurrent ? "current, " : ""}${isChosen ? "selected, " : ""}${name} for ${subscriber} at ${zone.clock(time)}, ${age} ago: ${spokenWhy(event, screen)}`
    }
  )
}

/** The row with the cell that a scrollbar may take. */
const besideScrollbar = (line: Row): Row => ({ ...line, spans: [...line.spans, span(" ")] })

/** A row between two days, and above the first row where that is not of today. */
const separator = (
  event: ActivityNotification,
  before: number,
  screen: EventsScreen,
  state: State,
  columns: number
): ReadonlyArray<Row> => {
  const at = timeOf(event)
  return isDated(screen) || Number.isNaN(at) || Number.isNaN(before) || zoneOf(state).isSameDay(at, before)
    ? []
    : [besideScrollbar(rule(columns - 1, state.settings.glyphs.line, zoneOf(state).dayName(at, state.now)))]
}

/** The rows of the list with a separator for each day; the one under the cursor is among them. */
export const eventRows = (screen: EventsScreen, state: State, columns: number, height: number): ReadonlyArray<Row> => {
  const shown = visible(screen)
  const width = columnsFor(screen, columns)
  const { top } = screen.cursor
  const rows: Array<Row> = []
  let under = 0
  for (const [index, event] of shown.slice(top, top + height).entries()) {
    const before = shown[top + index - 1]
    // Above the first row of the window the day is said again.
    const day = index === 0 || before === undefined ? state.now : timeOf(before)
    rows.push(...separator(event, day, screen, state, columns))
    if (top + index === screen.cursor.at) under = rows.length
    rows.push(eventRow(event, top + index, screen, state, width, columns))
  }
  // Separators take rows: the window goes down as far as the cursor needs.
  const from = Math.max(0, under - height + 1)
  return rows.slice(from, from + height)
}
