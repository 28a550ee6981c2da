import type { ActivityNotification } from "@signalbox/core/Records"
import { keyFor } from "../../actions/Action.ts"
import { diagnose } from "@signalbox/operator/diagnosis/Diagnosis"
import { quotable } from "@signalbox/operator/diagnosis/Evidence"
import { type Failure, type FailureGroup, failuresOf } from "@signalbox/operator/diagnosis/FailureGroup"
import { eventResult, isUnreadable } from "@signalbox/operator/status/Status"
import { counted } from "@signalbox/operator/text/Counted"
import { duration, shortAge } from "@signalbox/operator/text/Moment"
import type { State } from "../../state/State.ts"
import type { Area } from "../../view/Area.ts"
import { fact } from "../../view/Fact.ts"
import { signOf, toneOf } from "../../view/Result.ts"
import { sideBySide, clipped, cutShort, inset, row, type Row, ruleBetween, span } from "../../view/Row.ts"
import { payloadRows, person, stepRows, why } from "../event/EventSummary.ts"
import { dockColumns } from "../Layout.ts"
import { eventKey, timeOf } from "@signalbox/operator/reading/EventKey"
import { type EventsScreen, failuresIn, groupsOf } from "./EventsScreen.ts"
import { lastAlike, lastSuccess } from "./RelatedEvents.ts"
import { momentOf, zoneOf } from "../../view/Times.ts"

/** An event of a list, and the state that it is shown in. */
export interface Previewed {
  readonly event: ActivityNotification
  readonly screen: EventsScreen
  readonly state: State
}

/** The group of a failure, and its number. */
const groupOf = (failure: Failure | undefined, screen: EventsScreen) => {
  const groups = groupsOf(screen)
  const at = groups.findIndex(({ cause }) => cause === failure?.cause)
  const group = groups[at]
  return group === undefined ? undefined : { group, number: at + 1 }
}

/** When the first and the last failure of a group happened: `, 21 Nov 18:16 to 12:48`. */
export const seenText = ({ firstSeen, lastSeen }: FailureGroup, state: State): string => {
  if (firstSeen === undefined || lastSeen === undefined) return ""
  const [first, last] = [firstSeen, lastSeen].map((at) => zoneOf(state).minute(at, state.now))
  return first === last ? ` at ${first}` : `, ${first} to ${last}`
}

/** How many failures are like this one, and since when. */
export const alikeText = (failure: Failure | undefined, screen: EventsScreen, state: State): string | undefined => {
  const found = groupOf(failure, screen)
  if (found === undefined) return undefined
  const { group, number } = found
  const key = number > 9 ? "" : `; ${number} shows them`
  return group.events.length === 1
    ? "no other loaded event failed like this"
    : `${group.events.length} events of ${counted(group.subscribers.length, "subscriber")}${seenText(group, state)}${key}`
}

/** The outcome of an event that needs no explanation, and when the same last failed. */
const outcome = ({ event, screen: { events }, state: { now } }: Previewed) => {
  const jobs = event.jobs ?? []
  const ended = jobs.flatMap(({ executionDetails }) =>
    executionDetails.map(({ createdAt }) => Date.parse(createdAt ?? ""))
  )
  const took = Math.max(...ended) - timeOf(event)
  const failure = lastAlike(event, events, "failed")
  const [cause] = failure === undefined ? [] : failuresOf(failure)
  return {
    done: `${counted(jobs.length, "step")} done${Number.isFinite(took) ? ` in ${duration(took)}` : ""}`,
    before:
      failure === undefined
        ? "no loaded failure for this subscriber and workflow"
        : `failed for this subscriber ${shortAge(timeOf(failure), now)} ago: ${cause?.title ?? "no reason given"}`
  }
}

/** Why the event failed, what to do, how many are alike, and when it last went well. */
const reasons = (shown: Previewed, columns: number): ReadonlyArray<Row> => {
  const { event, screen, state } = shown
  const [failure] = failuresIn(screen, event)
  const diagnosis = failure?.diagnosis ?? diagnose(event)
  const part = (label: string, text: string | undefined, tone: "plain" | "notice" | "dim") =>
    text === undefined ? [] : fact(label, text, columns, { labelColumns: 7, labelTone: "title", tone })
  const success = eventResult(event).kind === "failed" ? lastSuccess(event, screen.events) : undefined
  if (diagnosis === undefined && eventResult(event).kind === "ok") {
    const { before, done } = outcome(shown)
    return [...part("OK", done, "plain"), ...part("BEFORE", before, "dim")]
  }
  if (isUnreadable(event)) {
    return [
      ...part("WHY", "a part of this event could not be read: whether it failed is unknown", "plain"),
      ...part("NEXT", `${keyFor(state, "unreadable parts")} shows what could not be read and why`, "notice")
    ]
  }
  return [
    ...why(diagnosis, event, state, columns, 7),
    ...part("ALIKE", alikeText(failure, screen, state), "plain"),
    ...(eventResult(event).kind === "failed"
      ? part(
          "OK",
          success === undefined
            ? "this workflow has no loaded success for this subscriber"
            : `this workflow last succeeded for this subscriber ${shortAge(timeOf(success), state.now)} ago`,
          "dim"
        )
      : [])
  ]
}

/** The event in a few rows: why it failed or that it went well. */
const shortPreview = (shown: Previewed, columns: number): ReadonlyArray<Row> => {
  const { event } = shown
  const rows = reasons(shown, columns)
  return rows.length > 0 ? rows : [row([span(`${person(event)}  `, "dim"), span(event.transactionId, "dim")], columns)]
}

/** Workflow and subscriber of an event, and when it was triggered. */
const nameOf = (event: ActivityNotification, state: State): string => {
  const at = timeOf(event)
  const when = Number.isNaN(at) ? "" : `, ${momentOf(state, at)}, ${shortAge(at, state.now)} ago`
  return `${event.template?.name ?? "(workflow deleted)"} to ${person(event)}${when}`
}

const title = (event: ActivityNotification, state: State, columns: number): Row => {
  const { kind, word } = eventResult(event)
  const result = span(`${signOf(kind, state.settings.glyphs)} ${word}`, toneOf(kind))
  return ruleBetween(nameOf(event, state), result, columns, state.settings.glyphs.line)
}

/** The words of the service and the provider for a failure that a rule explains in others. */
const said = ({ event, screen, state }: Previewed, columns: number): ReadonlyArray<Row> => {
  const [failure] = failuresIn(screen, event)
  const { cause = "", detail } = failure?.diagnosis ?? {}
  if (detail === undefined || cause.includes(quotable(detail.detail))) return []
  return [
    ...fact("SAID", quotable(detail.detail), columns, { labelColumns: 7, labelTone: "title" }),
    // A raw response may have names, which no pattern finds.
    ...(detail.raw == null || state.settings.masked ? [] : fact("", quotable(detail.raw), columns, { labelColumns: 7 }))
  ]
}

/** The event under the cursor below the list: causes on the left, steps and payload on the right. */
const dockedPreview = (shown: Previewed, { columns, height }: Area): ReadonlyArray<Row> => {
  const { event, state } = shown
  const left = Math.floor(columns * 0.56)
  const right = columns - left - 1
  const below = height - 1
  const key = keyFor(state, "show all of it")
  const rows = reasons(shown, left - 2)
  const words = said(shown, left - 2)
  const explained = rows.length + words.length > below ? rows : [...rows, ...words]
  const causes = clipped(explained.map(inset(1)), { columns: left, height: below }, key)
  const facts = [...stepRows(event, state, right - 1), ...payloadRows(event, state, right - 1, below)]
  return [
    title(event, state, columns),
    ...sideBySide(
      causes,
      left,
      span(state.settings.glyphs.bar, "dim"),
      clipped(facts.map(inset(0)), { columns: right, height: below }, key),
      right
    )
  ]
}

/** Everything about the event under the cursor: causes, steps and payload. */
const wholePreview = (shown: Previewed, columns: number, height = Number.POSITIVE_INFINITY): ReadonlyArray<Row> => {
  const { event, state } = shown
  const empty = row([], columns, { spoken: "" })
  const causes = [...reasons(shown, columns), ...said(shown, columns)]
  const steps = stepRows(event, state, columns)
  const payload = payloadRows(event, state, columns, Math.max(7, height - causes.length - steps.length - 6))
  return [
    ...[causes, steps, payload].flatMap((part) => (part.length === 0 ? [] : part.concat(empty))),
    row([span("txn ", "dim"), span(event.transactionId, "dim")], columns)
  ]
}

/** The preview in full, with a title, for its own screen. */
export const titledPreview = (
  shown: Previewed,
  columns: number
): readonly [title: string, rows: ReadonlyArray<Row>] => [
  shown.event.template?.name ?? eventKey(shown.event),
  [row([span(nameOf(shown.event, shown.state), "strong")], columns), ...wholePreview(shown, columns)]
]

/** The event under the cursor, next to the list, or below it. */
export const sidePreview = (shown: Previewed, { columns, height }: Area): ReadonlyArray<Row> => [
  title(shown.event, shown.state, columns),
  ...clipped(
    wholePreview(shown, columns - 2, height).map(inset(1)),
    { columns, height: height - 1 },
    keyFor(shown.state, "show all of it")
  )
]

/** The event under the cursor below a list: as much about it as the area has room for. */
export const previewBelow = (shown: Previewed, area: Area): ReadonlyArray<Row> => {
  const { columns, height } = area
  if (height < 6) return cutShort(shortPreview(shown, columns - 1).map(inset(0)), area)
  return columns < dockColumns ? sidePreview(shown, area) : dockedPreview(shown, area)
}
