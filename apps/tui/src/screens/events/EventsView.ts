import type { ActivityNotification } from "@signalbox/core/Activity"
import { chips, localOnly } from "@signalbox/operator/filter/Filter"
import type { State } from "../../state/State.ts"
import { eventResult } from "@signalbox/operator/status/Status"
import { resultSpan, steps } from "../../view/Result.ts"
import type { Area } from "../../view/Area.ts"
import { isInRange } from "../Selection.ts"
import { clock, moment } from "@signalbox/operator/text/Moment"
import { width } from "@signalbox/operator/text/Width"
import {
  beside,
  block,
  cell,
  clipped,
  ends,
  inset,
  row,
  type Row,
  type Span,
  span,
  spansWidth
} from "../../view/Row.ts"
import { summary } from "../event/EventSummary.ts"
import { eventsFoot, split } from "../Layout.ts"
import { fullTextKey } from "../../view/FullTextKey.ts"
import { arrived, current, eventKey, type EventsScreen, visible } from "./EventsScreen.ts"
import { countOf } from "./UnreadableParts.ts"
import type { Settings } from "../../state/Settings.ts"

interface Columns {
  readonly time: number
  readonly workflow: number
  readonly subscriber: number
  readonly steps: number
  readonly severity: number
  readonly result: number
}

const columnsFor = (columns: number): Columns => {
  const severity = columns >= 92 ? 7 : 0
  const subscriber = columns >= 70 ? 11 : 0
  const stepsWidth = columns >= 76 ? 15 : 12
  // The longest word with its sign and the scrollbar beside it.
  const result = 12
  const fixed = 2 + 13 + subscriber + stepsWidth + severity + result
  return { time: 13, workflow: Math.max(8, columns - fixed), subscriber, steps: stepsWidth, severity, result }
}

const eventRow = (
  event: ActivityNotification,
  at: number,
  screen: EventsScreen,
  state: State,
  width: Columns,
  columns: number
): Row => {
  const { glyphs } = state.settings
  const selected = at === screen.cursor.at
  const isChosen = screen.selection.has(eventKey(event)) || isInRange(screen, at)
  const name = event.template?.name ?? "(workflow deleted)"
  const subscriber = event.subscriber?.subscriberId ?? "(deleted)"
  const result = eventResult(event)
  const time = moment(event.createdAt, state.now)
  return row(
    [
      // Few changes of tone before the preview: Ink repeats all of them when only the preview has changed.
      span(selected ? glyphs.cursor : " ", selected ? "accent" : "plain"),
      span(isChosen ? glyphs.selected : " ", isChosen ? "accent" : "plain"),
      cell(time, width.time),
      cell(name, width.workflow - 1),
      span(" "),
      ...(width.subscriber === 0 ? [] : [cell(subscriber, width.subscriber - 1), span(" ")]),
      ...steps(event, width.steps, state.settings),
      ...(width.severity === 0
        ? []
        : [cell(event.severity === "none" ? "" : (event.severity ?? ""), width.severity - 1, "dim"), span(" ")]),
      resultSpan(result, state.settings, width.result)
    ],
    columns,
    {
      selected,
      spoken: `${selected ? "current, " : ""}${isChosen ? "selected, " : ""}${name} for ${subscriber} at ${time}: ${result.word}`
    }
  )
}

const counted = new WeakMap<ReadonlyArray<ActivityNotification>, number>()

/** How many of the events failed; counted once for a list, since every frame shows it. */
const failuresIn = (events: ReadonlyArray<ActivityNotification>): number => {
  const known = counted.get(events)
  if (known !== undefined) return known
  const count = events.filter((event) => eventResult(event).kind === "failed").length
  counted.set(events, count)
  return count
}

/** What is said of the loaded events, from the longest wording to the shortest. */
const loadedWordings = (screen: EventsScreen): ReadonlyArray<string> => {
  const loaded = screen.events.length
  if (loaded === 0) return [""]
  const shown = visible(screen)
  if (localOnly(screen.filter)) {
    const matches = `${shown.length} match among ${loaded} loaded`
    return [
      ...(screen.hasMore ? [`${matches}, B searches further back `] : []),
      `${matches} `,
      `${shown.length}/${loaded} `
    ]
  }
  const failures = `${failuresIn(shown)} failed / ${shown.length} loaded`
  return [...(screen.hasMore ? [`${failures}, more below `] : []), `${failures} `]
}

const chipsRow = (screen: EventsScreen, columns: number): Row => {
  const parts = chips(screen.filter)
  const lefts: ReadonlyArray<ReadonlyArray<Span>> =
    parts.length === 0
      ? [[span(" no filter  / adds one, F shows failures", "dim")], [span(" no filter", "dim")]]
      : [parts.flatMap((chip) => [span(" "), span(chip, "accent")])]
  const unreadable = countOf(screen.unreadable)
  const leftOut = unreadable === 0 ? [] : [span(`${unreadable} unreadable, U shows  `, "warning")]
  const rights = loadedWordings(screen)
  const room = columns - spansWidth(leftOut)
  const fits = (left: ReadonlyArray<Span>, right: string) => spansWidth(left) + width(right) < room
  for (const left of lefts) {
    const right = rights.find((wording) => fits(left, wording))
    if (right !== undefined) return ends(left, [...leftOut, span(right, "dim")], columns)
  }
  // The filter is cut before what it finds is: with a cell between them.
  return ends(lefts.at(-1) ?? [], [span(" "), ...leftOut, span(rights.at(-1) ?? "", "dim")], columns)
}

const titles = (width: Columns, columns: number): Row =>
  row(
    [
      span("  "),
      cell("TIME (UTC)", width.time, "dim"),
      cell("WORKFLOW", width.workflow, "dim"),
      ...(width.subscriber === 0 ? [] : [cell("SUBSCRIBER", width.subscriber, "dim")]),
      cell("STEPS", width.steps, "dim"),
      ...(width.severity === 0 ? [] : [cell("SEV", width.severity, "dim")]),
      cell("RESULT", width.result, "dim")
    ],
    columns,
    { spoken: "" }
  )

const emptyRows = (screen: EventsScreen, state: State, columns: number): ReadonlyArray<Row> => {
  const say = (text: string, tone: Span["tone"] = "dim") => row([span(`  ${text}`, tone)], columns)
  if (screen.problem !== undefined) return [say("nothing could be read yet", "plain")]
  if (screen.loading !== undefined || screen.pages === 0) return [say("reading events")]
  if (screen.events.length > 0) {
    return [
      say(`none of the ${screen.events.length} loaded events match`, "plain"),
      say(screen.hasMore ? "B searches further back, X shows all" : "X shows all")
    ]
  }
  return chips(screen.filter).length > 0
    ? [say("the service lists no event for this filter", "plain"), say("backspace drops its last part, X all of it")]
    : [
        say(`no event has been triggered in this environment (${state.connection.name})`, "plain"),
        say("r asks again, L keeps asking")
      ]
}

const scrollbar = (
  rows: ReadonlyArray<Row>,
  screen: EventsScreen,
  length: number,
  settings: Settings
): ReadonlyArray<Row> => {
  const height = rows.length
  if (length <= height) return rows
  const size = Math.max(1, Math.round((height * height) / length))
  const from = Math.min(height - size, Math.round((screen.cursor.top / Math.max(1, length - height)) * (height - size)))
  return rows.map((line, at) => {
    const last = line.spans.at(-1)
    if (last === undefined || !last.text.endsWith(" ")) return line
    const inside = at >= from && at < from + size
    return {
      ...line,
      spans: [
        ...line.spans.slice(0, -1),
        span(last.text.slice(0, -1), last.tone),
        span(inside ? settings.glyphs.thumb : " ")
      ]
    }
  })
}

const listRows = (screen: EventsScreen, state: State, columns: number, height: number): ReadonlyArray<Row> => {
  const shown = visible(screen)
  if (shown.length === 0) return block(emptyRows(screen, state, columns), height, columns)
  const width = columnsFor(columns)
  const { top } = screen.cursor
  const rows = shown
    .slice(top, top + height)
    .map((event, index) => eventRow(event, top + index, screen, state, width, columns))
  if (rows.length < height) {
    const more =
      screen.loading === "more"
        ? "reading older events"
        : screen.hasMore
          ? "more below"
          : localOnly(screen.filter)
            ? "nothing older matches"
            : "that is all that the service keeps"
    rows.push(row([span(`  ${more}`, "dim")], columns))
  }
  return scrollbar(block(rows, height, columns), screen, shown.length, state.settings)
}

/** The list of events; beside or below it what the event under the cursor is about. */
export const eventsView = (state: State, screen: EventsScreen, { columns, height }: Area): ReadonlyArray<Row> => {
  const { list, pane } = split(columns)
  const event = current(screen)
  if (pane > 0) {
    const left = [chipsRow(screen, list), titles(columnsFor(list), list), ...listRows(screen, state, list, height - 2)]
    const right = event === undefined ? [] : summary(event, state, pane - 1, Number.POSITIVE_INFINITY)
    const padded = clipped(right.map(inset(0)), { columns: pane, height }, fullTextKey)
    return beside(left, list, span(state.settings.glyphs.bar), padded, pane)
  }
  const foot = eventsFoot(height, columns)
  return [
    chipsRow(screen, columns),
    titles(columnsFor(columns), columns),
    ...listRows(screen, state, columns, height - 2 - foot),
    ...(event === undefined || foot === 0
      ? block([], foot, columns)
      : block(summary(event, state, columns - 1, foot, foot < 6).map(inset(0)), foot, columns))
  ]
}

/** What the header says at its right end: how fresh the list is. */
export const eventsFreshness = (screen: EventsScreen, state: State): ReadonlyArray<Span> => {
  const fresh = arrived(screen).length
  return [
    ...(state.interval > 0 ? [span(`every ${state.interval} s  `, "accent")] : []),
    ...(fresh > 0 || screen.overrun
      ? [span(`+${screen.overrun ? `${fresh} or more` : fresh} new, press .`, "notice"), span("  ")]
      : []),
    ...(screen.asOf === undefined
      ? []
      : [span(`as of ${clock(screen.asOf)}Z `, screen.problem === undefined ? "dim" : "warning")])
  ]
}
