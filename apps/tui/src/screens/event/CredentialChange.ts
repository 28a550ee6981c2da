/**
 * Which subscribers of a failure group still need credentials: not those whose credentials were changed here since, whose
 * step has succeeded since, or who were deleted.
 */
import type { ActivityNotification } from "@signalbox/core/Activity"
import { channelOfProvider } from "@signalbox/core/Provider"
import type { Diagnosis } from "@signalbox/operator/diagnosis/Diagnosis"
import { type FailureGroup, failuresOf } from "@signalbox/operator/diagnosis/FailureGroup"
import { jobResult } from "@signalbox/operator/status/Status"
import type { Facts } from "../../state/Facts.ts"
import { eventsOfSubscriber } from "../events/EventIndex.ts"

/** The latest change, after the event, of credentials that fix the failure. */
export const changedSince = (
  { job, prefill }: Diagnosis,
  { createdAt, subscriber }: ActivityNotification,
  facts: Facts
): readonly [providerId: string, at: number] | undefined => {
  const changes = facts.subscribers.get(subscriber?.subscriberId ?? "")?.changedAt
  if (prefill === undefined || changes === undefined) return undefined
  const failedAt = Date.parse(createdAt ?? "")
  return Array.from(changes).findLast(
    ([providerId, at]) =>
      !(at < failedAt) &&
      (prefill.providerId === undefined
        ? channelOfProvider(providerId) === job.type
        : prefill.providerId === providerId)
  )
}

/** Whether a later event of the list sent such a step through the same provider. Expects the newest event first. */
const succeededSince = (
  { job, prefill }: Diagnosis,
  failed: ActivityNotification,
  events: ReadonlyArray<ActivityNotification>
): boolean => {
  for (const later of eventsOfSubscriber(events, failed._subscriberId)) {
    if (later === failed) return false
    const succeeded = (later.jobs ?? []).some(
      (other) =>
        other.type === job.type &&
        (prefill?.providerId === undefined || other.providerId === prefill.providerId) &&
        jobResult(other).kind === "ok"
    )
    if (succeeded) return true
  }
  return false
}

/** The subscribers of a failure group that credentials may help. */
export interface Fixable {
  /** Those whose step has not succeeded since, by external id, in the order of the list. */
  readonly subscribers: ReadonlyArray<string>
  /** Those of them whose credentials were not changed here since. */
  readonly open: number
}

const findFixable = (group: FailureGroup, events: ReadonlyArray<ActivityNotification>, facts: Facts): Fixable => {
  const seen = new Set<string>()
  const subscribers: Array<string> = []
  let open = 0
  for (const event of group.events) {
    // An event without an external id names its subscriber by an id that the API does not take.
    const id = event.subscriber?.subscriberId
    if (id === undefined || seen.has(id)) continue
    seen.add(id)
    const failure = failuresOf(event).find(({ cause }) => cause === group.cause)
    if (failure === undefined || succeededSince(failure.diagnosis, event, events)) continue
    subscribers.push(id)
    if (changedSince(failure.diagnosis, event, facts) === undefined) open += 1
  }
  return { subscribers, open }
}

const known = new WeakMap<
  FailureGroup,
  {
    readonly events: ReadonlyArray<ActivityNotification>
    readonly about: Facts["subscribers"]
    readonly fixable: Fixable
  }
>()

/** The subscribers of a group of the list that credentials may help. Every frame shows it: found once for the same facts. */
export const fixableIn = (group: FailureGroup, events: ReadonlyArray<ActivityNotification>, facts: Facts): Fixable => {
  const before = known.get(group)
  if (before?.events === events && before.about === facts.subscribers) return before.fixable
  const fixable = findFixable(group, events, facts)
  known.set(group, { events, about: facts.subscribers, fixable })
  return fixable
}
