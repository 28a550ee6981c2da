/**
 * Which subscribers of a failure group credentials may still help: not those whose credentials were changed since, whose
 * step has succeeded since, or who were deleted. Screens, forms and reports show this number and no other.
 */
import { type ActivityNotification, channelOfProvider } from "@signalbox/core/Records"
import { jobResult } from "../status/Status.ts"
import type { Diagnosis, Prefill } from "./Diagnosis.ts"
import { integrationsOf } from "./Evidence.ts"
import { type FailureGroup, failuresOf } from "./FailureGroup.ts"

/** The name of credentials among the changes of a subscriber: an environment may have several integrations of one provider. */
export const credentialsKey = (changed: {
  readonly providerId: string
  readonly integrationIdentifier?: string | undefined
}): string => `${changed.providerId} ${changed.integrationIdentifier ?? ""}`.trimEnd()

/** When the credentials of a subscriber were changed, in milliseconds since 1970, by {@link credentialsKey}. */
export type ChangesOf = (subscriberId: string) => ReadonlyMap<string, number> | undefined

/** The events of a subscriber by the internal id, newest first. */
export type EventsOf = (internalId: string) => ReadonlyArray<ActivityNotification>

/** The subscribers of a failure group that credentials may help. */
export interface FixReach {
  /** Those whose step has not succeeded since, by external id, in the order of the events. */
  readonly subscribers: ReadonlyArray<string>
  /** Those of them whose credentials were not changed since. */
  readonly open: ReadonlyArray<string>
}

/** How many of the subscribers were changed since, and wait for a message that shows whether it helped. */
export const waitingFor = ({ open, subscribers }: FixReach): number => subscribers.length - open.length

/** The latest change, after the event, of credentials that fix the failure. */
export const changedSince = (
  { job, prefill }: Diagnosis,
  { createdAt, subscriber }: ActivityNotification,
  changesOf: ChangesOf
): readonly [providerId: string, at: number] | undefined => {
  const changes = changesOf(subscriber?.subscriberId ?? "")
  if (prefill === undefined || changes === undefined) return undefined
  const failedAt = Date.parse(createdAt ?? "")
  const { integrationIdentifier: wanted } = prefill
  for (const [key, at] of Array.from(changes).toReversed()) {
    const [providerId = "", integration] = key.split(/ (.*)/su)
    const isProvider =
      prefill.providerId === undefined ? channelOfProvider(providerId) === job.type : prefill.providerId === providerId
    // Where one of them names no integration, it may be the other's.
    const isIntegration = wanted === undefined || integration === undefined || integration === wanted
    if (!(at < failedAt) && isProvider && isIntegration) return [providerId, at]
  }
  return undefined
}

/** Whether a later event of the subscriber sent such a step through the same provider and integration. */
const succeededSince = (
  { job, prefill }: Diagnosis,
  failed: ActivityNotification,
  events: ReadonlyArray<ActivityNotification>
): boolean => {
  const { integrationIdentifier: wanted, providerId } = prefill ?? {}
  for (const later of events) {
    if (later === failed) return false
    const succeeded = (later.jobs ?? []).some((other) => {
      if (other.type !== job.type || jobResult(other).kind !== "ok") return false
      const integrations = wanted === undefined ? [] : integrationsOf(other)
      return (
        (providerId === undefined || other.providerId === providerId) &&
        (integrations.length === 0 || integrations.includes(wanted))
      )
    })
    if (succeeded) return true
  }
  return false
}

const noChanges: ChangesOf = () => undefined

/**
 * The subscribers of a group that credentials may help; a group that credentials do not fix reaches none.
 *
 * @example
 * ```ts
 * const { open } = fixReach(group, eventsOf(page.data))
 * // open => ["u_31870"]
 * ```
 */
export const fixReach = (group: FailureGroup, eventsOf: EventsOf, changesOf: ChangesOf = noChanges): FixReach => {
  const seen = new Set<string>()
  const subscribers: Array<string> = []
  const open: Array<string> = []
  for (const event of group.credentials === "cause" ? group.events : []) {
    // An event without an external id names its subscriber by an id that the API does not take.
    const id = event.subscriber?.subscriberId
    if (id === undefined || seen.has(id)) continue
    seen.add(id)
    const failure = failuresOf(event).find(({ cause }) => cause === group.cause)
    if (failure === undefined || succeededSince(failure.diagnosis, event, eventsOf(event._subscriberId))) continue
    subscribers.push(id)
    if (changedSince(failure.diagnosis, event, changesOf) === undefined) open.push(id)
  }
  return { subscribers, open }
}

/** The prefills of a group, by the external ids of its subscribers: each may lack the credentials of another integration. */
export const prefillsOf = (group: FailureGroup): ReadonlyMap<string, Prefill> => {
  const found = new Map<string, Prefill>()
  for (const event of group.events) {
    const id = event.subscriber?.subscriberId
    if (id === undefined || found.has(id)) continue
    const prefill = failuresOf(event).find(({ cause }) => cause === group.cause)?.diagnosis.prefill
    if (prefill !== undefined) found.set(id, prefill)
  }
  return found
}

/** Finds the events of a subscriber in a list, which is indexed once. Expects the newest event first. */
export const eventsOf = (events: ReadonlyArray<ActivityNotification>): EventsOf => {
  const found = new Map<string, Array<ActivityNotification>>()
  for (const event of events) {
    const own = found.get(event._subscriberId)
    if (own === undefined) found.set(event._subscriberId, [event])
    else own.push(event)
  }
  return (internalId) => found.get(internalId) ?? []
}
