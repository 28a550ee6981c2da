import type { ActivityNotification } from "@signalbox/core/Records"
import { timeOf } from "@signalbox/operator/reading/EventKey"
import type { FailureGroup } from "@signalbox/operator/diagnosis/FailureGroup"
import { eventResult } from "@signalbox/operator/status/Status"
import { shortAge } from "@signalbox/operator/text/Moment"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { truncate, truncateMiddle, width as cellsOf } from "@signalbox/operator/text/Width"
import { remembered } from "../../state/Remembered.ts"
import type { State } from "../../state/State.ts"
import { signOf, steps, toneOf } from "../../view/Result.ts"
import { asItem, cell, row, type Row, rule, type Span, span } from "../../view/Row.ts"
import { isInRange } from "../Selection.ts"
import { eventKey } from "@signalbox/operator/reading/EventKey"
import { type Events } from "./EventIndex.ts"
import { type EventsScreen, failuresIn, groupsOf, visible } from "./EventsScreen.ts"
import { columnOf, isByTime, type Sized, sizedColumns } from "./EventColumns.ts"
import { subscriberName, summaryOf, workflowName } from "./LoadedEvents.ts"
import { zoneOf } from "../../view/Times.ts"

/** The columns of the list. Hidden events count, so that no column moves when a filter changes. */
export const columnsFor = (screen: EventsScreen, { settings }: State, columns: number): ReadonlyArray<Sized> =>
  sizedColumns(settings.list.columns, summaryOf(screen.events).widest, isDated(screen), columns)

/** The titles of the columns; the one that the list is sorted by stands out. */
export const titles = (sized: ReadonlyArray<Sized>, { sort }: EventsScreen, state: State, columns: number): Row =>
  row(
    [
      span("  "),
      ...sized.map(([name, cells]) => {
        const title = name === "time" ? zoneOf(state).heading : columnOf(name).title
        const short = name === "time" ? "TIME" : `${title.slice(0, Math.min(6, cells - 2))}.`
        const shown = title.length < cells ? title : short
        const isSorted = name === sort.column && !isByTime(sort)
        return cell(name === "age" ? shown.padStart(cells - 1) : shown, cells, isSorted ? "strong" : "dim")
      })
    ],
    columns,
    { spoken: "" }
  )

/** The number of a cause; those that have a key look like one. */
const numberOf = (groups: ReadonlyArray<FailureGroup>, cause: string): Span => {
  const at = groups.findIndex((group) => group.cause === cause)
  const cells = groups.length > 9 ? 2 : 1
  return cell(at === -1 ? "" : String(at + 1), cells, at > 8 ? "dim" : "key")
}

/** Why the event failed, with the number of its failure group; the word for its result where it did not. */
const why = (event: ActivityNotification, screen: EventsScreen, state: State, width: number): ReadonlyArray<Span> => {
  const result = eventResult(event)
  const { glyphs } = state.settings
  const [failure, ...others] = failuresIn(screen, event)
  const sign = signOf(result.kind, glyphs)
  if (failure === undefined) return [cell(`${sign} ${result.word}`, width, toneOf(result.kind))]
  const more = others.length === 0 ? "" : ` +${others.length}`
  const number = numberOf(groupsOf(screen), failure.cause)
  const before = 3 + number.text.length
  const title = truncate(cleanLine(failure.title), Math.max(1, width - before - 1 - more.length))
  return [
    span(`${sign} `, "failed"),
    number,
    span(" "),
    span(title, "failed"),
    cell(more, width - before - cellsOf(title), "dim")
  ]
}

const spokenWhy = (event: ActivityNotification, screen: EventsScreen): string => {
  const titles = failuresIn(screen, event).map(({ title }) => title)
  return titles.length === 0 ? eventResult(event).word : `failed, ${titles.join(", ")}`
}

/** Days of a list from which on they may be too many for a row each. */
const fewDays = 3
const dayMs = 86_400_000

const hasManyDays = remembered((events: Events): boolean => {
  const atMost = Math.max(fewDays, events.length / 4)
  const [newest, oldest] = [events[0], events.at(-1)]
  // Every key of a filter makes a new list. Its first and last event tell whether it can have that many days at all.
  const isShort = newest !== undefined && oldest !== undefined && timeOf(newest) - timeOf(oldest) < (atMost - 1) * dayMs
  return !isShort && new Set(events.map(({ createdAt }) => createdAt?.slice(0, 10))).size > atMost
})

/** Whether rows have a date instead of a separator for each day, which would take more than a quarter of the rows. */
const isDated = (screen: EventsScreen): boolean => !isByTime(screen.sort) || hasManyDays(visible(screen))

/** The cells of an event in a column. */
const cellsIn = (
  [name, width]: Sized,
  event: ActivityNotification,
  screen: EventsScreen,
  state: State
): ReadonlyArray<Span> => {
  switch (name) {
    case "time": {
      const { clock, moment } = zoneOf(state)
      const at = timeOf(event)
      const time = Number.isNaN(at) && width < 8 ? "none" : clock(at).slice(0, width - 1)
      return [cell(isDated(screen) ? moment(event.createdAt, state.now) : time, width)]
    }
    case "workflow":
      return [cell(workflowName(event), width - 1), span(" ")]
    case "subscriber":
      return [cell(truncateMiddle(cleanLine(subscriberName(event)), width - 1), width)]
    case "steps":
      return [...steps(event, width - 1, state.settings), span(" ")]
    case "why":
      return why(event, screen, state, width)
    case "age":
      return [cell(shortAge(timeOf(event), state.now).padStart(width - 1), width, "dim")]
    case "severity":
      return [cell(event.severity ?? "", width)]
    case "transaction":
      return [cell(truncateMiddle(cleanLine(event.transactionId), width - 1), width, "dim")]
  }
}

const isSelected = (event: ActivityNotification, at: number, screen: EventsScreen): boolean =>
  screen.selection.has(eventKey(event)) || isInRange(screen, at)

/** The row of one event. */
const eventRow = (
  event: ActivityNotification,
  at: number,
  screen: EventsScreen,
  state: State,
  sized: ReadonlyArray<Sized>,
  columns: number
): Row => {
  const { glyphs } = state.settings
  const isCurrent = at === screen.cursor.at
  const isChosen = isSelected(event, at, screen)
  const name = workflowName(event)
  const subscriber = subscriberName(event)
  const time = timeOf(event)
  return row(
    [
      // Few changes of tone before the preview: Ink repeats all of them when only the preview has changed.
      span(isCurrent ? glyphs.cursor : " ", isCurrent ? "accent" : "plain"),
      span(isChosen ? glyphs.selected : " ", isChosen ? "accent" : "plain"),
      ...sized.flatMap((one) => cellsIn(one, event, screen, state))
    ],
    columns,
    {
      selected: isCurrent,
      listed: true,
      spoken: `${isCurrent ? "current, " : ""}${isChosen ? "selected, " : ""}${name} for ${subscriber} at ${zoneOf(state).clock(time)}, ${shortAge(time, state.now)} ago: ${spokenWhy(event, screen)}`
    }
  )
}

interface LastRows {
  rows: Map<ActivityNotification, readonly [age: string, row: Row]>
}

/** The rows of the last frame that are neither selected nor under the cursor, and their ages: most keys change none of them. */
const lastRows: (shown: Events, ...about: ReadonlyArray<unknown>) => LastRows = remembered(() => ({ rows: new Map() }))

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
  const sized = columnsFor(screen, state, columns)
  const { events, filter, numbered, preview } = screen
  const today = zoneOf(state).dayName(state.now, 0)
  const last = lastRows(shown, events, filter, preview, numbered, state.settings, columns, sized.join(" "), today)
  const before = last.rows
  last.rows = new Map()
  const rowOf = (event: ActivityNotification, at: number): Row => {
    const age = shortAge(timeOf(event), state.now)
    const [ageBefore, known] = before.get(event) ?? []
    const isPlain = at !== screen.cursor.at && !isSelected(event, at, screen)
    const made =
      isPlain && ageBefore === age && known?.item === at
        ? known
        : asItem(eventRow(event, at, screen, state, sized, columns), at)
    if (isPlain) last.rows.set(event, [age, made])
    return made
  }
  const { top } = screen.cursor
  const rows: Array<Row> = []
  let under = 0
  for (const [index, event] of shown.slice(top, top + height).entries()) {
    const above = shown[top + index - 1]
    // Above the first row of the window the day is said again.
    const day = index === 0 || above === undefined ? state.now : timeOf(above)
    rows.push(...separator(event, day, screen, state, columns))
    if (top + index === screen.cursor.at) under = rows.length
    rows.push(rowOf(event, top + index))
  }
  // Separators take rows: the window goes down as far as the cursor needs.
  const from = Math.max(0, under - height + 1)
  return rows.slice(from, from + height)
}
