/**
 * Whether credentials that fix a failure were changed here since: what was done is not asked for again.
 */
import type { ActivityNotification } from "@signalbox/core/Activity"
import { channelOfProvider } from "@signalbox/core/Provider"
import type { Diagnosis } from "@signalbox/operator/diagnosis/Diagnosis"
import { type FailureGroup, failuresOf } from "@signalbox/operator/diagnosis/FailureGroup"
import type { Facts } from "../../state/Facts.ts"

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

const isFixed = (group: FailureGroup, subscriberId: string, facts: Facts): boolean => {
  const newest = group.events.find(({ subscriber }) => subscriber?.subscriberId === subscriberId)
  const failure = newest === undefined ? undefined : failuresOf(newest).find(({ cause }) => cause === group.cause)
  return newest !== undefined && failure !== undefined && changedSince(failure.diagnosis, newest, facts) !== undefined
}

const counted = new WeakMap<FailureGroup, { readonly subscribers: Facts["subscribers"]; readonly open: number }>()

/** How many subscribers of a group still need credentials. Every frame shows it: counted once for the same facts. */
export const openSubscribers = (group: FailureGroup, facts: Facts): number => {
  const known = counted.get(group)
  if (known?.subscribers === facts.subscribers) return known.open
  let open = group.subscribers.length
  for (const { changedAt, subscriberId } of facts.subscribers.values())
    if (changedAt !== undefined && isFixed(group, subscriberId, facts)) open -= 1
  counted.set(group, { subscribers: facts.subscribers, open })
  return open
}
