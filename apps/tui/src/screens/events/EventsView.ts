import { keyFor } from "../../actions/Action.ts"
import { chips, localOnly } from "@signalbox/operator/filter/Filter"
import { counted } from "@signalbox/operator/text/Counted"
import { age } from "@signalbox/operator/text/Moment"
import { maskedText } from "../../state/Masking.ts"
import type { Settings } from "../../state/Settings.ts"
import type { State } from "../../state/State.ts"
import type { Area } from "../../view/Area.ts"
import { sideBySide, endsThatFit, row, type Row, type Span, span } from "../../view/Row.ts"
import { eventsLayout } from "../Layout.ts"
import { previewBelow, sidePreview } from "./EventPreview.ts"
import { isByTime } from "./EventColumns.ts"
import { columnsFor, eventRows, titles } from "./EventRows.ts"
import { arrivalsPerMinute, arrived, current, type EventsScreen, visible } from "./EventsScreen.ts"
import { incidentView } from "./IncidentView.ts"
import { covered, failedOfReadable } from "@signalbox/operator/diagnosis/Coverage"
import { coverageIn } from "./LoadedEvents.ts"
import { countOf } from "./UnreadableParts.ts"
import { stampOf } from "../../view/Times.ts"

/** Summaries of the loaded events, from the longest wording to the shortest. */
const loadedWordings = (screen: EventsScreen, state: State): ReadonlyArray<string> => {
  const loaded = screen.events.length
  if (loaded === 0) return [""]
  const shown = visible(screen)
  if (screen.masking !== undefined) {
    const left = screen.masking.rest.length
    return [`${loaded} of ${loaded + left} masked, the others follow `, `${loaded}/${loaded + left} masked `]
  }
  if (screen.preview !== undefined || localOnly(screen.filter)) {
    const matches = `${shown.length} of ${loaded} loaded`
    return [
      ...(screen.hasMore ? [`${matches}, ${keyFor(state, "search further back")} searches further back `] : []),
      `${matches} `,
      `${shown.length}/${loaded} `
    ]
  }
  const coverage = coverageIn(shown)
  // How many are unreadable stands next to it.
  const failures = `${failedOfReadable(coverage)}${coverage.unreadable === 0 ? " loaded" : ""}`
  const time = covered(coverage)
  const whole = time === undefined ? failures : `${failures}, ${time}`
  return [
    ...(screen.hasMore ? [`${whole}, ${keyFor(state, "search further back")} reads older `] : []),
    `${whole} `,
    `${failures} `
  ]
}

/** How many events, or else only parts of events, could not be read. */
const leftOutSpans = (screen: EventsScreen, state: State): ReadonlyArray<Span> => {
  const { unreadable } = coverageIn(screen.events)
  const parts = countOf(screen.unreadable)
  const key = keyFor(state, "unreadable parts")
  if (unreadable > 0) return [span(`${unreadable} unreadable, ${key} shows  `, "warning")]
  return parts === 0 ? [] : [span(`${counted(parts, "part")} left out, ${key} shows  `, "dim")]
}

const chipsRow = (screen: EventsScreen, state: State, columns: number): Row => {
  const clauses = chips(screen.preview?.filter ?? screen.filter)
  const parts = state.settings.masked ? clauses.map(maskedText) : clauses
  const keys = `${keyFor(state, "filter")} adds one, ${keyFor(state, "only failures")} shows failures`
  const lefts: ReadonlyArray<ReadonlyArray<Span>> =
    parts.length === 0
      ? [[span(` no filter: ${keys}`, "dim")], [span(" no filter", "dim")]]
      : [parts.flatMap((chip) => [span(" "), span(chip, "accent")])]
  const leftOut = leftOutSpans(screen, state)
  const rights = loadedWordings(screen, state).map((wording) => leftOut.concat(span(wording)))
  return endsThatFit(lefts, rights, columns)
}

const emptyRows = (screen: EventsScreen, state: State, columns: number): ReadonlyArray<Row> => {
  const say = (text: string, tone: Span["tone"] = "dim") => row([span(`  ${text}`, tone)], columns)
  if (screen.problem !== undefined) return [say("nothing could be read yet", "plain")]
  if (screen.loading !== undefined || screen.pages === 0) return [say("reading events")]
  if (screen.events.length > 0) {
    return [
      say(`none of the ${screen.events.length} loaded events match`, "plain"),
      say(
        `${screen.hasMore ? `${keyFor(state, "search further back")} searches further back, ` : ""}${keyFor(state, "clear filter")} shows all`
      )
    ]
  }
  return chips(screen.filter).length > 0
    ? [
        say("the service lists no event for this filter", "plain"),
        say(`${keyFor(state, "drop last filter")} drops its last part, ${keyFor(state, "clear filter")} all of it`)
      ]
    : [
        say(`no event has been triggered in this environment (${state.connection.name})`, "plain"),
        say(`${keyFor(state, "refresh")} asks again, ${keyFor(state, "live tail")} keeps asking`)
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
    const isInside = at >= from && at < from + size
    if (!isInside || last?.text.endsWith(" ") !== true) return line
    return {
      ...line,
      spans: [...line.spans.slice(0, -1), span(last.text.slice(0, -1), last.tone), span(settings.glyphs.thumb)]
    }
  })
}

const listRows = (screen: EventsScreen, state: State, columns: number, height: number): ReadonlyArray<Row> => {
  const shown = visible(screen)
  if (shown.length === 0) return emptyRows(screen, state, columns)
  const rows = [...eventRows(screen, state, columns, height)]
  if (rows.length < height) {
    const key = keyFor(state, "search further back")
    const hidden = screen.events.length - shown.length
    const more =
      screen.loading === "more"
        ? "reading older events"
        : hidden > 0
          ? `${counted(hidden, "event")} hidden by the filter${screen.hasMore ? `; ${key} searches further back` : ""}`
          : screen.hasMore
            ? isByTime(screen.sort)
              ? "more below"
              : `${key} reads older events`
            : "these are all events that the service keeps"
    rows.push(row([span(`  ${more}`, "dim")], columns))
  }
  return rows.length < height ? rows : scrollbar(rows, screen, shown.length, state.settings)
}

/** The list of events with the incident above it, and the event under the cursor next to or below it. */
export const eventsView = (state: State, screen: EventsScreen, area: Area): ReadonlyArray<Row> => {
  const { columns, height } = area
  const layout = eventsLayout(area)
  const { pane, rows } = layout
  const event = current(screen)
  // Neither bars nor a preview of nothing.
  const incident = screen.events.length === 0 && screen.sampled === undefined ? 0 : layout.incident
  const list = event === undefined ? columns : layout.list
  const above = [chipsRow(screen, state, columns), ...incidentView(screen, state, { columns, height: incident })]
  const listed = [titles(columnsFor(screen, state, list), screen, state, list), ...listRows(screen, state, list, rows)]
  if (event === undefined) return [...above, ...listed]
  if (pane > 0) {
    const preview = sidePreview({ event, screen, state }, { columns: pane, height: rows + 1 })
    return [...above, ...sideBySide(listed, list, span(state.settings.glyphs.bar, "dim"), preview, pane)]
  }
  // The rows that a short list does not use are for the preview.
  const room = height - above.length - listed.length
  return [...above, ...listed, ...previewBelow({ event, screen, state }, { columns, height: room })]
}

/** When the list was read; how long ago while it is followed, since only then a clock runs. */
const freshness = (asOf: number, state: State): string =>
  state.interval > 0 && !state.settings.screenReader ? age(asOf, state.now) : `as of ${stampOf(state, asOf)}`

/** The right end of the header: how fresh the list is; where it is brief, only news. */
export const eventsFreshness = (screen: EventsScreen, state: State, isBrief: boolean): ReadonlyArray<Span> => {
  const fresh = screen.fresh.length
  const hidden = fresh - arrived(screen).length
  const news = `+${fresh}${screen.overrun ? " or more" : ""} new${hidden === 0 ? "" : `, ${hidden} hidden`}, press ${keyFor(state, "show new events")}`
  return [
    ...(screen.watch === undefined ? [] : [span("watching  ", "accent")]),
    ...(state.interval > 0 ? [span(`live ${arrivalsPerMinute(screen, state.now)}/min  `, "accent")] : []),
    ...(fresh > 0 || screen.overrun ? [span(news, "notice"), span("  ")] : []),
    ...(screen.asOf === undefined || isBrief
      ? []
      : [span(`${freshness(screen.asOf, state)} `, screen.problem === undefined ? "dim" : "warning")])
  ]
}
