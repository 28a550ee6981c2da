import type { ActivityNotification } from "@signalbox/core/Records"
import { keyFor } from "../../actions/Action.ts"
import { diagnose } from "@signalbox/operator/diagnosis/Diagnosis"
import { histogram } from "@signalbox/operator/diagnosis/Histogram"
import { eventResult } from "@signalbox/operator/status/Status"
import { counted } from "@signalbox/operator/text/Counted"
import { cleanLine, cleanLines } from "@signalbox/operator/outlet/Outlet"
import { width } from "@signalbox/operator/text/Width"
import { shortAge } from "@signalbox/operator/text/Moment"
import { listOf } from "../../state/ScreenStack.ts"
import type { State } from "../../state/State.ts"
import type { Area } from "../../view/Area.ts"
import { sparkline } from "../../view/Bars.ts"
import { paragraph } from "../../view/Fact.ts"
import { beside, block, clipped, inset, row, type Row, rule, span } from "../../view/Row.ts"
import { eventKey } from "../events/EventIndex.ts"
import { type EventsScreen, groupsOf } from "../events/EventsScreen.ts"
import { seenText } from "../events/EventPreview.ts"
import { workflowName, subscriberName } from "../events/LoadedEvents.ts"
import {
  alikeEvents,
  eventsOfOthers,
  otherEvents,
  relatedRows,
  subscriberAndWorkflow,
  timeOf
} from "../events/RelatedEvents.ts"
import { currentLine, type EventScreen, failureHere } from "./EventScreen.ts"
import { payloadRows } from "./EventSummary.ts"
import { explanation } from "./Explanation.ts"
import { drawnRange } from "../events/Incident.ts"

/** Cells of the text of a panel: one is empty at each side. */
const textColumns = (columns: number): number => columns - 2

const titled = (title: string, rows: ReadonlyArray<Row>, state: State, columns: number): ReadonlyArray<Row> =>
  rows.length === 0 ? [] : [rule(columns, state.settings.glyphs.line, title), ...rows.map(inset(1))]

/** The group of the failure under the cursor: how many, since when, whose, over time, and the newest of the others. */
const alike = (
  screen: EventScreen,
  list: EventsScreen,
  state: State,
  columns: number,
  maxOthers: number
): ReadonlyArray<Row> => {
  const failure = failureHere(screen)
  const groups = groupsOf(list)
  const at = groups.findIndex(({ cause }) => cause === failure?.cause)
  const group = groups[at]
  if (group === undefined) return []
  const own = eventKey(screen.event)
  const others = group.events.slice(0, maxOthers + 1).filter((other) => eventKey(other) !== own)
  if (group.events.length === 1) {
    return titled(
      "ALIKE",
      [row([span("no other loaded event failed like this", "dim")], textColumns(columns))],
      state,
      columns
    )
  }
  const range = drawnRange(list.events)
  const counts = new Map<string, number>()
  for (const { _subscriberId, subscriber } of group.events) {
    const id = subscriber?.subscriberId ?? _subscriberId
    counts.set(id, (counts.get(id) ?? 0) + 1)
  }
  const people = Array.from(counts)
    .sort((a, b) => b[1] - a[1])
    .map(([id, count]) => (count === 1 ? id : `${id} ${state.settings.glyphs.times}${count}`))
  const summary = `${counted(group.events.length, "event")} of ${counted(group.subscribers.length, "subscriber")}${seenText(group, state)} `
  const bars = Math.min(12, textColumns(columns) - width(summary))
  const trend =
    range === undefined || bars < 4 ? "" : sparkline(histogram(group.events, range, bars), state.settings.glyphs)
  return titled(
    at > 8 ? "ALIKE" : `ALIKE, ${at + 1} on the list shows them`,
    [
      row([span(summary), span(trend, "failed")], textColumns(columns)),
      ...paragraph(people.slice(0, 24).join("   "), textColumns(columns), "dim").slice(0, 2),
      ...relatedRows(others.slice(0, maxOthers), state, textColumns(columns), {
        name: subscriberAndWorkflow(others),
        reason: false
      })
    ],
    state,
    columns
  )
}

/** A panel without events, and how to read more. */
const without = (none: string, title: string, { hasMore }: EventsScreen, state: State, columns: number) => {
  const more = hasMore ? `; ${keyFor(state, "search further back")} on the list reads older events` : ""
  return titled(title, [row([span(`${none} loaded${more}`, "dim")], textColumns(columns))], state, columns)
}

/** The loaded events of the same workflow and subscriber, the newest first. */
const history = (
  event: ActivityNotification,
  list: EventsScreen,
  state: State,
  columns: number,
  maxRows: number
): ReadonlyArray<Row> => {
  // As it was read last: the list has an earlier state of it, or none where it was triggered since.
  const others = alikeEvents(event, list.events).filter((other) => eventKey(other) !== eventKey(event))
  const same = [event, ...others].toSorted((a, b) => (b.createdAt ?? "").localeCompare(a.createdAt ?? ""))
  if (maxRows < 2) return []
  if (same.length < 2) return without("no other event", "THIS WORKFLOW FOR THIS SUBSCRIBER", list, state, columns)
  const success = same.find((other) => eventResult(other).kind === "ok")
  const here = same.findIndex((other) => eventKey(other) === eventKey(event))
  const from = Math.max(0, Math.min(here - 1, same.length - (maxRows - 2)))
  const rows = relatedRows(same.slice(from, from + maxRows - 2), state, textColumns(columns), { here: event })
  const ok =
    success === undefined
      ? "no success among the loaded events"
      : `last success ${shortAge(timeOf(success), state.now)} ago`
  return titled(
    `THIS WORKFLOW FOR THIS SUBSCRIBER, ${same.length} loaded`,
    [...rows, row([span(ok, success === undefined ? "warning" : "ok")], textColumns(columns))],
    state,
    columns
  )
}

/** Other notifications for the subscriber, in at most `maxRows` rows. */
const others = (
  event: ActivityNotification,
  list: EventsScreen,
  state: State,
  columns: number,
  maxRows: number
): ReadonlyArray<Row> => {
  const found = otherEvents(event, list.events)
  if (maxRows < 2) return []
  if (found.length === 0) return without("no event", "OTHER EVENTS OF THIS SUBSCRIBER", list, state, columns)
  return titled(
    `OTHER EVENTS OF THIS SUBSCRIBER, ${found.length} loaded`,
    relatedRows(found.slice(0, maxRows - 1), state, textColumns(columns), { name: workflowName }),
    state,
    columns
  )
}

/** The workflow for other subscribers: whether it fails for all of them. In at most `maxRows` rows. */
const forOthers = (
  event: ActivityNotification,
  list: EventsScreen,
  state: State,
  columns: number,
  maxRows: number
): ReadonlyArray<Row> => {
  if (maxRows < 2) return []
  const found = eventsOfOthers(event, list.events, maxRows)
  if (found.length === 0) return without("no event", "THIS WORKFLOW FOR OTHER SUBSCRIBERS", list, state, columns)
  const rows = relatedRows(found.slice(0, maxRows - 1), state, textColumns(columns), { name: subscriberName })
  const count = found.length < maxRows ? `${found.length} loaded` : "the newest"
  return titled(`THIS WORKFLOW FOR OTHER SUBSCRIBERS, ${count}`, rows, state, columns)
}

/** Rows of other failures like it, where the workflow's events for other subscribers need the rest. */
const mostAlike = 8

const contact = (event: ActivityNotification, state: State, columns: number): ReadonlyArray<Row> => {
  const { subscriber } = event
  if (subscriber === undefined) return []
  const name = [subscriber.firstName, subscriber.lastName].filter((part) => part !== undefined).join(" ")
  const who = name === "" ? subscriber.subscriberId : name
  const phone = `phone ${subscriber.phone ?? "none"}`
  const line = `${who}   email ${subscriber.email ?? "none"}`
  const whole = `${line}   ${phone}`
  return [
    ...(width(cleanLine(whole)) <= textColumns(columns) ? [whole] : [line, phone]).map((text) =>
      row([span(text)], textColumns(columns))
    ),
    row([span(`from this event; ${keyFor(state, "subscriber")} shows everything known`, "dim")], textColumns(columns))
  ]
}

/** The payload whole where it fits, else one line a key. */
const payloadPanel = (event: ActivityNotification, state: State, { columns, height }: Area): ReadonlyArray<Row> => {
  if (Object.keys(event.payload ?? {}).length === 0) return []
  const whole = cleanLines(JSON.stringify(event.payload, null, 2).slice(0, 8_000))
  const rows =
    whole.length < height
      ? whole.map((line) => row([span(line)], textColumns(columns)))
      : payloadRows(event, state, textColumns(columns), height).slice(1)
  return titled(`PAYLOAD, ${keyFor(state, "payload")} shows all`, rows, state, columns)
}

/** The event's own panels: the cause and the next step, the subscriber, and the payload where all of it fits. */
const ownPanels = (state: State, screen: EventScreen, { columns, height }: Area) => {
  const { event } = screen
  const title = diagnose(event, currentLine(screen)?.job) === undefined ? "STEP" : "WHY AND WHAT NEXT"
  const reasons = explanation(screen, state, textColumns(columns), Number.POSITIVE_INFINITY, false)
  const cause = titled(title, reasons, state, columns)
  const person = [...cause, ...titled("SUBSCRIBER", contact(event, state, columns), state, columns)]
  if (person.length > height)
    return { rows: clipped(cause, { columns, height }, keyFor(state, "show all of it")), hasPayload: false }
  const whole = [...person, ...payloadPanel(event, state, { columns, height: Number.POSITIVE_INFINITY })]
  return whole.length > height ? { rows: person, hasPayload: false } : { rows: whole, hasPayload: true }
}

/** The failures like it, and the loaded events of the same workflow. */
const relatedPanels = (
  state: State,
  screen: EventScreen,
  list: EventsScreen,
  { columns, height }: Area,
  payload: (height: number) => ReadonlyArray<Row>
): ReadonlyArray<Row> => {
  const { event } = screen
  const group = alike(screen, list, state, columns, 0)
  const keys = Object.keys(event.payload ?? {}).length
  const past = history(event, list, state, columns, Math.max(5, height - group.length - keys - 2))
  const sent = payload(height - group.length - past.length)
  const free = height - group.length - past.length - sent.length
  const elsewhere = forOthers(event, list, state, columns, free)
  const others = Math.min(free, Math.max(mostAlike, free - elsewhere.length))
  const facts = [...(others < 1 ? group : alike(screen, list, state, columns, others)), ...past, ...sent]
  return [...facts, ...forOthers(event, list, state, columns, height - facts.length)]
}

/**
 * The panels around the steps of an event on a large terminal: on the left the event itself, on the right related ones.
 */
export const eventPanels = (state: State, screen: EventScreen, { columns, height }: Area): ReadonlyArray<Row> => {
  const { event } = screen
  const { glyphs } = state.settings
  const left = Math.floor((columns - 1) / 2)
  const right = columns - 1 - left
  const list = listOf(state)
  const own = ownPanels(state, screen, { columns: left, height })
  const payload = (rows: number) => (own.hasPayload ? [] : payloadPanel(event, state, { columns: right, height: rows }))
  const lefts =
    list === undefined ? own.rows : [...own.rows, ...others(event, list, state, left, height - own.rows.length)]
  const rights =
    list === undefined ? payload(height) : relatedPanels(state, screen, list, { columns: right, height }, payload)
  return beside(lefts, left, span(glyphs.bar, "dim"), block(rights, height, right), right).slice(0, height)
}
