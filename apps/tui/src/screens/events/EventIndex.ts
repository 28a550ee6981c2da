/**
 * Finds loaded events by their key, their subscriber and their workflow. Every frame asks for the last success of the subscriber under
 * the cursor, and every page for what is loaded already: looking at each of thousands of events would be felt.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import { eventKey } from "@signalbox/operator/reading/EventKey"
import { oncePer } from "@signalbox/operator/reading/OncePer"

/** Events, the newest first. */
export type Events = ReadonlyArray<ActivityNotification>

interface Index {
  readonly byKey: Map<string, ActivityNotification>
  /** In the order of the list; by the id that the service gave the subscriber and by the external one. */
  readonly bySubscriber: Map<string, Array<ActivityNotification>>
  readonly byWorkflow: Map<string, Array<ActivityNotification>>
}

/** The identity of a workflow; absent where the workflow was deleted and the service does not name it. */
export const workflowOf = ({ _templateId, template }: ActivityNotification): string | undefined =>
  template?._id ?? _templateId ?? template?.name

const idsOf = ({ _subscriberId, subscriber }: ActivityNotification): ReadonlyArray<string> =>
  subscriber === undefined || subscriber.subscriberId === _subscriberId
    ? [_subscriberId]
    : [_subscriberId, subscriber.subscriberId]

type End = "push" | "unshift"

const addTo = (
  lists: Map<string, Array<ActivityNotification>>,
  name: string,
  event: ActivityNotification,
  end: End
) => {
  const events = lists.get(name)
  if (events === undefined) lists.set(name, [event])
  else events[end](event)
}

const add = ({ byKey, bySubscriber, byWorkflow }: Index, event: ActivityNotification, end: End): void => {
  byKey.set(eventKey(event), event)
  for (const id of idsOf(event)) addTo(bySubscriber, id, event, end)
  const workflow = workflowOf(event)
  if (workflow !== undefined) addTo(byWorkflow, workflow, event, end)
}

const indexes = new WeakMap<Events, Index>()

const indexOf: (events: Events) => Index = oncePer((events) => {
  const index: Index = { byKey: new Map(), bySubscriber: new Map(), byWorkflow: new Map() }
  for (const event of events) add(index, event, "push")
  return index
}, indexes)

/** Passes the index of a list to the list that replaces it: a copy for each page would cost more than it saves. */
const handOver = (from: Events, to: Events): Index | undefined => {
  const index = indexes.get(from)
  if (index === undefined) return undefined
  indexes.delete(from)
  indexes.set(to, index)
  return index
}

/** Indexes the list of newer and then older events from the index of its longer part, if that has one. */
export const indexJoined = (newer: Events, older: Events, joined: Events): void => {
  if (newer.length >= older.length) {
    const index = handOver(newer, joined)
    if (index !== undefined) for (const event of older) add(index, event, "push")
  } else {
    const index = handOver(older, joined)
    if (index !== undefined) for (const event of newer.toReversed()) add(index, event, "unshift")
  }
}

/** The loaded event with the key of this one. */
export const loadedAs = (events: Events, event: ActivityNotification): ActivityNotification | undefined =>
  indexOf(events).byKey.get(eventKey(event))

/** The loaded events of a subscriber, by either id, in the order of the list. */
export const eventsOfSubscriber = (events: Events, id: string): Events => indexOf(events).bySubscriber.get(id) ?? []

/** The loaded events of a workflow, in the order of the list. */
export const eventsOfWorkflow = (events: Events, workflow: string): Events =>
  indexOf(events).byWorkflow.get(workflow) ?? []
