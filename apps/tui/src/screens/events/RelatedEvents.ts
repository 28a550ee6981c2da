/**
 * The loaded events that say more of one: those of the same workflow and subscriber, others of the subscriber, and others
 * that failed alike.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import { failuresOf } from "@signalbox/operator/diagnosis/FailureGroup"
import { eventResult } from "@signalbox/operator/status/Status"
import type { State } from "../../state/State.ts"
import { signOf, steps, toneOf } from "../../view/Result.ts"
import { column, row, type Row, span } from "../../view/Row.ts"
import { cleanLine } from "@signalbox/operator/outlet/Outlet"
import { fit, width } from "@signalbox/operator/text/Width"
import { eventKey } from "@signalbox/operator/reading/EventKey"
import { eventsOfSubscriber, eventsOfWorkflow, workflowOf, type Events } from "./EventIndex.ts"
import { subscriberName, workflowName } from "./LoadedEvents.ts"
import { zoneOf } from "../../view/Times.ts"

const isAlike =
  (event: ActivityNotification) =>
  (other: ActivityNotification): boolean =>
    other._subscriberId === event._subscriberId && workflowOf(other) === workflowOf(event)

/** The loaded events of the same workflow and subscriber, in the order of the list. */
export const alikeEvents = (event: ActivityNotification, events: Events): Events =>
  eventsOfSubscriber(events, event._subscriberId).filter(isAlike(event))

/** The newest other loaded event of the same workflow and subscriber that had a result. */
export const lastAlike = (
  event: ActivityNotification,
  events: Events,
  kind: "ok" | "failed"
): ActivityNotification | undefined => {
  const alike = isAlike(event)
  return eventsOfSubscriber(events, event._subscriberId).find(
    (other) => other !== event && eventResult(other).kind === kind && alike(other)
  )
}

/** The newest loaded event of the same workflow and subscriber that went well. */
export const lastSuccess = (event: ActivityNotification, events: Events): ActivityNotification | undefined =>
  lastAlike(event, events, "ok")

/** The loaded events of the same subscriber and of other workflows, in the order of the list. */
export const otherEvents = (event: ActivityNotification, events: Events): Events => {
  const alike = isAlike(event)
  return eventsOfSubscriber(events, event._subscriberId).filter((other) => !alike(other))
}

/** The newest loaded events of the same workflow for other subscribers, at most `most`. */
export const eventsOfOthers = (event: ActivityNotification, events: Events, most: number): Events => {
  const found: Array<ActivityNotification> = []
  for (const other of eventsOfWorkflow(events, workflowOf(event) ?? "")) {
    if (found.length >= most) break
    if (other._subscriberId !== event._subscriberId) found.push(other)
  }
  return found
}

/** The columns of related events besides result, time and steps. */
interface RelatedLook {
  /** Distinguishes an event from the others; absent where the time does. */
  readonly name?: (event: ActivityNotification) => string
  /** Whether they failed for different reasons, or not at all. */
  readonly reason?: boolean
  readonly here?: ActivityNotification
  /** The row under the cursor, where the rows are a list. */
  readonly cursor?: number
}

/** Subscriber and workflow of events, one below the other. */
export const subscriberAndWorkflow = (events: Events) => {
  const columns = Math.max(0, ...events.map((event) => width(cleanLine(subscriberName(event)))))
  return (event: ActivityNotification): string =>
    `${fit(cleanLine(subscriberName(event)), columns)}  ${workflowName(event)}`
}

const mostNameColumns = 40
const mostStepColumns = 18

/** Related events, one a row. */
export const relatedRows = (
  events: Events,
  state: State,
  columns: number,
  { cursor, here, name, reason = true }: RelatedLook
): ReadonlyArray<Row> => {
  const { glyphs } = state.settings
  const names = name === undefined ? [] : events.map((event) => cleanLine(name(event)))
  const nameColumns = Math.min(mostNameColumns, 1 + Math.max(0, ...names.map(width)))
  const moments = events.map((event) => zoneOf(state).moment(event.createdAt, state.now))
  const momentColumns = 1 + Math.max(0, ...moments.map(width))
  const stepColumns = Math.min(mostStepColumns, 3 * Math.max(1, ...events.map(({ jobs = [] }) => jobs.length)))
  return events.map((event, index) => {
    const { kind, word } = eventResult(event)
    const [failure] = failuresOf(event)
    const isHere = index === cursor || (here !== undefined && eventKey(event) === eventKey(here))
    return row(
      [
        span(isHere ? glyphs.cursor : " ", "accent"),
        span(`${signOf(kind, glyphs)} `, toneOf(kind)),
        column(moments[index] ?? "", momentColumns, "dim"),
        ...(name === undefined ? [] : [column(names[index] ?? "", nameColumns)]),
        ...steps(event, stepColumns, state.settings),
        ...(reason ? [span(" "), span(failure?.title ?? word, toneOf(kind))] : [])
      ],
      columns,
      {
        selected: index === cursor,
        spoken: `${index === cursor ? "current, " : ""}${failure?.title ?? word} at ${moments[index] ?? ""}${name === undefined ? "" : `, ${names[index] ?? ""}`}`
      }
    )
  })
}
