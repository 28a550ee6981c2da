/**
 * Facts that the screens show about all loaded events: causes, failures, the time they cover, the room that their names
 * need. A list grows by pages, and by single events while it is followed: only what is added is looked at.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import { type FailureGroup, failureGroups, failuresOf, joinGroups } from "@signalbox/operator/diagnosis/FailureGroup"
import { type Coverage, joinedRange } from "@signalbox/operator/diagnosis/Coverage"
import { type TimeRange, timeRange } from "@signalbox/operator/diagnosis/Histogram"
import { eventResult, isUnreadable } from "@signalbox/operator/status/Status"
import { type Events, indexJoined } from "./EventIndex.ts"
import { searchJoined } from "./WordSearch.ts"
import { oncePer } from "@signalbox/operator/reading/OncePer"

/** The longest workflow name, subscriber id and title of a cause, and the most steps. */
export interface Widest {
  readonly workflow: number
  readonly subscriber: number
  readonly steps: number
  readonly cause: number
}

/** A summary of a list of events. */
export interface Summary {
  readonly groups: ReadonlyArray<FailureGroup>
  /** The events that failed. */
  readonly failures: Events
  /** The events of which it is unknown whether they failed. */
  readonly unreadable: Events
  /** The time from the first to the last event; absent where none has a time. */
  readonly range: TimeRange | undefined
  readonly widest: Widest
}

/** The name of an event's workflow. */
export const workflowName = ({ template }: ActivityNotification): string => template?.name ?? "(workflow deleted)"

/** The id of an event's subscriber. */
export const subscriberName = ({ subscriber }: ActivityNotification): string => subscriber?.subscriberId ?? "(deleted)"

const widestOf = (events: Events): Widest => {
  let workflow = 0
  let subscriber = 0
  let steps = 0
  let cause = 0
  for (const event of events) {
    workflow = Math.max(workflow, workflowName(event).length)
    subscriber = Math.max(subscriber, subscriberName(event).length)
    let own = 0
    for (const { type } of event.jobs ?? []) if (type !== "trigger") own += 1
    steps = Math.max(steps, own)
    for (const { title } of failuresOf(event)) cause = Math.max(cause, title.length)
  }
  return { workflow, subscriber, steps, cause }
}

const summarise = (events: Events): Summary => ({
  groups: failureGroups(events),
  failures: events.filter((event) => eventResult(event).kind === "failed"),
  unreadable: events.filter(isUnreadable),
  range: timeRange(events),
  widest: widestOf(events)
})

const join = (newer: Summary, older: Summary): Summary => ({
  groups: joinGroups(newer.groups, older.groups),
  failures: [...newer.failures, ...older.failures],
  unreadable: [...newer.unreadable, ...older.unreadable],
  range: joinedRange(newer.range, older.range),
  widest: {
    workflow: Math.max(newer.widest.workflow, older.widest.workflow),
    subscriber: Math.max(newer.widest.subscriber, older.widest.subscriber),
    steps: Math.max(newer.widest.steps, older.widest.steps),
    cause: Math.max(newer.widest.cause, older.widest.cause)
  }
})

const summaries = new WeakMap<Events, Summary>()

/** The summary of a list; computed once. */
export const summaryOf: (events: Events) => Summary = oncePer(summarise, summaries)

/** The counts of a list, from its summary. */
export const coverageIn = (events: Events): Coverage => {
  const { failures, range, unreadable } = summaryOf(events)
  return { events: events.length, failed: failures.length, unreadable: unreadable.length, range }
}

/** The list of newer and then older events, with its summary made from theirs. */
export const joinEvents = (newer: Events, older: Events): Events => {
  if (newer.length === 0) return older
  if (older.length === 0) return newer
  const events = [...newer, ...older]
  summaries.set(events, join(summaryOf(newer), summaryOf(older)))
  searchJoined(newer, older, events)
  indexJoined(newer, older, events)
  return events
}
