/**
 * Which subscribers of a failure group still need credentials, by what the screens have loaded and changed.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import type { FailureGroup } from "@signalbox/operator/diagnosis/FailureGroup"
import { type ChangesOf, type FixReach, fixReach } from "@signalbox/operator/diagnosis/FixReach"
import type { Facts } from "../../state/Facts.ts"
import { eventsOfSubscriber } from "../events/EventIndex.ts"

/** The changes of credentials that were made here. */
export const changesIn =
  ({ subscribers }: Facts): ChangesOf =>
  (subscriberId) =>
    subscribers.get(subscriberId)?.changedAt

const known = new WeakMap<
  FailureGroup,
  {
    readonly events: ReadonlyArray<ActivityNotification>
    readonly about: Facts["subscribers"]
    readonly reach: FixReach
  }
>()

/** The subscribers of a group of the list that credentials may help. Every frame shows it: found once for the same facts. */
export const reachIn = (group: FailureGroup, events: ReadonlyArray<ActivityNotification>, facts: Facts): FixReach => {
  const before = known.get(group)
  if (before?.events === events && before.about === facts.subscribers) return before.reach
  const reach = fixReach(group, (id) => eventsOfSubscriber(events, id), changesIn(facts))
  known.set(group, { events, about: facts.subscribers, reach })
  return reach
}
