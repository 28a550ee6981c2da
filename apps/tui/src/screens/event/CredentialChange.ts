/**
 * Which subscribers of a failure group still need credentials, by what the screens have loaded and changed.
 */
import type { ActivityNotification } from "@signalbox/core/Records"
import type { FailureGroup } from "@signalbox/operator/diagnosis/FailureGroup"
import { type ChangesOf, type FixReach, fixReach } from "@signalbox/operator/diagnosis/FixReach"
import type { Facts } from "../../state/Facts.ts"
import { remembered } from "../../state/Remembered.ts"
import { eventsOfSubscriber } from "../events/EventIndex.ts"

/** The changes of credentials that were made here. */
export const changesIn =
  ({ subscribers }: Pick<Facts, "subscribers">): ChangesOf =>
  (subscriberId) =>
    subscribers.get(subscriberId)?.changedAt

const reached = remembered(
  (group: FailureGroup, events: ReadonlyArray<ActivityNotification>, subscribers: Facts["subscribers"]): FixReach =>
    fixReach(group, (id) => eventsOfSubscriber(events, id), changesIn({ subscribers }))
)

/** The subscribers of a group of the list that credentials may help. */
export const reachIn = (group: FailureGroup, events: ReadonlyArray<ActivityNotification>, facts: Facts): FixReach =>
  reached(group, events, facts.subscribers)
