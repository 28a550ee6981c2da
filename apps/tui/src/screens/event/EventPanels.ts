import type { ActivityNotification } from "@signalbox/core/Records"
import { keyFor } from "../../actions/Action.ts"
import { diagnose } from "@signalbox/operator/diagnosis/Diagnosis"
import { failuresOf } from "@signalbox/operator/diagnosis/FailureGroup"
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
import { sideBySide, block, clipped, inset, row, type Row, rule, span } from "../../view/Row.ts"
import { eventKey, timeOf } from "@signalbox/operator/reading/EventKey"
import { type EventsScreen, groupsOf } from "../events/EventsScreen.ts"
import { seenText } from "../events/EventPreview.ts"
import { workflowName, subscriberName } from "../events/LoadedEvents.ts"
import {
  alikeEvents,
  eventsOfOthers,
  otherEvents,
  relatedRows,
  subscriberAndWorkflow
} from "../events/RelatedEvents.ts"
import { currentLine, type EventScreen, failureHere } from "./EventScreen.ts"
import { payloadRows } from "./EventSummary.ts"
import { explanation } from "./Explanation.ts"
import { drawnRange } from "../events/Incident.ts"

/** Cells of the text of a panel: one is empty at each side. */
const textColumns = (columns: number): number => columns - 2

/** The surroundings of a panel: the event on the screen, the list that it was opened from, and the cells of a row. */
interface Place {
  readonly screen: EventScreen
  readonly list: EventsScreen
  readonly state: State
  readonly columns: number
}

const titled = (title: string, rows: ReadonlyArray<Row>, { state, columns }: Omit<Place, "list" | "screen">) =>
  rows.length === 0 ? [] : [rule(columns, state.settings.glyphs.line, title), ...rows.map(inset(1))]

/** The group of the failure under the cursor: how many, since when, whose, over time, and the newest of the others. */
const alike = (place: Place, maxOthers: number): ReadonlyArray<Row> => {
  const { list, screen, state } = place
  const columns = textColumns(place.columns)
  const failure = failureHere(screen)
  const groups = groupsOf(list)
  const at = groups.findIndex(({ cause }) => cause === failure?.cause)
  const group = groups[at]
  if (group === undefined) return []
  if (group.events.length === 1)
    return titled("ALIKE", [row([span("no other loaded event failed like this", "dim")], columns)], place)
  const own = eventKey(screen.event)
  const others = group.events.slice(0, maxOthers + 1).filter((other) => eventKey(other) !== own)
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
  const bars = Math.min(12, columns - width(summary))
  const trend =
    range === undefined || bars < 4 ? "" : sparkline(histogram(group.events, range, bars), state.settings.glyphs)
  const name = subscriberAndWorkflow(others)
  return titled(
    at > 8 ? "ALIKE" : `ALIKE, ${at + 1} on the list shows them`,
    [
      row([span(summary), span(trend, "failed")], columns),
      ...paragraph(people.slice(0, 24).join("   "), columns, "dim").slice(0, 2),
      ...relatedRows(others.slice(0, maxOthers), state, columns, { name, reason: false })
    ],
    place
  )
}

/**
 * A panel of related events in at most `maxRows` rows, as `named`: its title, and what is missing where there are none, with
 * how to read more.
 */
const related = (
  place: Place,
  [title, none]: readonly [title: string, none: string],
  maxRows: number,
  count: string,
  rows: ReadonlyArray<Row>
): ReadonlyArray<Row> => {
  if (maxRows < 2) return []
  if (rows.length > 0) return titled(`${title}, ${count}`, rows, place)
  const { columns, list, state } = place
  const more = list.hasMore ? `; ${keyFor(state, "search further back")} on the list reads older events` : ""
  return titled(title, [row([span(`${none} loaded${more}`, "dim")], textColumns(columns))], place)
}

/** The loaded events of the same workflow and subscriber, the newest first. */
const history = (place: Place, maxRows: number): ReadonlyArray<Row> => {
  const { list, screen, state } = place
  const { event } = screen
  const columns = textColumns(place.columns)
  // As it was read last: the list has an earlier state of it, or none where it was triggered since.
  const others = alikeEvents(event, list.events).filter((other) => eventKey(other) !== eventKey(event))
  const same = [event, ...others].toSorted((a, b) => (b.createdAt ?? "").localeCompare(a.createdAt ?? ""))
  const success = same.find((other) => eventResult(other).kind === "ok")
  const here = same.findIndex((other) => eventKey(other) === eventKey(event))
  const from = Math.max(0, Math.min(here - 1, same.length - (maxRows - 2)))
  const ok =
    success === undefined
      ? "no success among the loaded events"
      : `last success ${shortAge(timeOf(success), state.now)} ago`
  const rows = [
    ...relatedRows(same.slice(from, from + maxRows - 2), state, columns, { here: event }),
    row([span(ok, success === undefined ? "warning" : "ok")], columns)
  ]
  const named = ["THIS WORKFLOW FOR THIS SUBSCRIBER", "no other event"] as const
  return related(place, named, maxRows, `${same.length} loaded`, others.length === 0 ? [] : rows)
}

/** Other notifications for the subscriber. */
const others = (place: Place, maxRows: number): ReadonlyArray<Row> => {
  const { columns, list, screen, state } = place
  const found = otherEvents(screen.event, list.events)
  const look = { name: workflowName }
  const rows = relatedRows(found.slice(0, Math.max(0, maxRows - 1)), state, textColumns(columns), look)
  return related(place, ["OTHER EVENTS OF THIS SUBSCRIBER", "no event"], maxRows, `${found.length} loaded`, rows)
}

/** The events of other subscribers that show whether the workflow fails for all of them. */
const mostOfOthers = 50

/** The workflow for other subscribers: whether it fails for all of them. */
const forOthers = (place: Place, maxRows: number): ReadonlyArray<Row> => {
  const { columns, list, screen, state } = place
  const most = Math.max(mostOfOthers, maxRows)
  const found = eventsOfOthers(screen.event, list.events, most)
  const look = { name: subscriberName }
  const count = found.length < most ? `${found.length} loaded` : "the newest"
  const cause = failureHere(screen)?.cause
  const areAlike = cause !== undefined && found.every((other) => failuresOf(other).some((one) => one.cause === cause))
  // The panel of failures like it has the same rows.
  const rows =
    areAlike && found.length > 0
      ? [row([span(`all ${found.length} failed like this`, "failed")], textColumns(columns))]
      : relatedRows(found.slice(0, Math.max(0, maxRows - 1)), state, textColumns(columns), look)
  return related(place, ["THIS WORKFLOW FOR OTHER SUBSCRIBERS", "no event"], maxRows, count, rows)
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
  return titled(`PAYLOAD, ${keyFor(state, "payload")} shows all`, rows, { state, columns })
}

/** The event's own panels: the cause and the next step, the subscriber, and the payload where all of it fits. */
const ownPanels = (state: State, screen: EventScreen, { columns, height }: Area) => {
  const { event } = screen
  const title = diagnose(event, currentLine(screen)?.job) === undefined ? "STEP" : "WHY AND WHAT NEXT"
  const reasons = explanation(screen, state, textColumns(columns), Number.POSITIVE_INFINITY, false)
  const cause = titled(title, reasons, { state, columns })
  const person = [...cause, ...titled("SUBSCRIBER", contact(event, state, columns), { state, columns })]
  if (person.length > height)
    return { rows: clipped(cause, { columns, height }, keyFor(state, "show all of it")), hasPayload: false }
  const whole = [...person, ...payloadPanel(event, state, { columns, height: Number.POSITIVE_INFINITY })]
  return whole.length > height ? { rows: person, hasPayload: false } : { rows: whole, hasPayload: true }
}

/** The failures like it, and the loaded events of the same workflow. */
const relatedPanels = (place: Place, height: number, payload: (height: number) => ReadonlyArray<Row>) => {
  const group = alike(place, 0)
  const keys = Object.keys(place.screen.event.payload ?? {}).length
  const past = history(place, Math.max(5, height - group.length - keys - 2))
  const sent = payload(height - group.length - past.length)
  const free = height - group.length - past.length - sent.length
  const elsewhere = forOthers(place, free)
  const most = Math.min(free, Math.max(mostAlike, free - elsewhere.length))
  const facts = [...(most < 1 ? group : alike(place, most)), ...past, ...sent]
  return [...facts, ...forOthers(place, height - facts.length)]
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
    list === undefined
      ? own.rows
      : [...own.rows, ...others({ screen, list, state, columns: left }, height - own.rows.length)]
  const rights =
    list === undefined ? payload(height) : relatedPanels({ screen, list, state, columns: right }, height, payload)
  return sideBySide(lefts, left, span(glyphs.bar, "dim"), block(rights, height, right), right).slice(0, height)
}
