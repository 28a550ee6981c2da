/**
 * The records that the service sends, and the values of their enumerations.
 *
 * **When to use**: to type the values that calls return, or to choose by channel, kind of job or provider. A service may
 * send a value that is newer than this version; the guards narrow to the known ones, so that a `switch` over them is
 * exhaustive.
 */
import {
  channelProviderIds,
  channels,
  chatProviderIds,
  executionDetailStatuses,
  isOneOf,
  jobProviderIds,
  jobTypes,
  pushProviderIds,
  severities
} from "../contract/KnownValues.ts"
import type { ActivityNotification, EventPage as Page } from "./Interfaces.ts"

export {
  channelProviderIds,
  channels,
  chatProviderIds,
  jobProviderIds,
  jobTypes,
  pushProviderIds
} from "../contract/KnownValues.ts"
export * from "./FailedStep.ts"
export type * from "./Interfaces.ts"

/**
 * Whether a status is one of those that this version knows (API document: States and transitions).
 *
 * @example
 * ```ts
 * import { type ExecutionDetailStatus, isKnownExecutionDetailStatus } from "@signalbox/core/Records"
 *
 * const marks = { Success: "✓", Failed: "✗", Warning: "!", Pending: "-", Queued: "-", ReadConfirmation: "✓" }
 * const markOf = (status: ExecutionDetailStatus): string =>
 *   isKnownExecutionDetailStatus(status) ? marks[status] : "?"
 * markOf("Failed") // => "✗"
 * ```
 */
export const isKnownExecutionDetailStatus = (value: unknown): value is (typeof executionDetailStatuses)[number] =>
  isOneOf(executionDetailStatuses, value)

/** Whether a severity is one of those that this version knows (API document: Resources, ActivityNotification). */
export const isKnownSeverity = (value: unknown): value is (typeof severities)[number] => isOneOf(severities, value)

/**
 * One page of the event listing (API document: Endpoints, List all events).
 *
 * `hasMore` alone says whether there is another page: a full page can be the last one, and a short page is not always
 * the last. `Event` is another type where the program states the type of the payloads.
 *
 * @example
 * ```ts
 * import { type EventPage, isFailed } from "@signalbox/core/Records"
 *
 * const failed = (page: EventPage) => page.data.filter(isFailed)
 *
 * failed({ hasMore: false, data: [], page: 0, pageSize: 10 }) // => []
 * ```
 */
export interface EventPage<Event = ActivityNotification> extends Omit<Page, "data"> {
  /** The records, one per trigger. */
  readonly data: ReadonlyArray<Event>
}

/** One of the channels that this version knows (API document: Resources, Message). */
export type KnownChannel = (typeof channels)[number]

/**
 * Whether a channel is one of those that this version knows (API document: Resources, Message).
 *
 * @example
 * ```ts
 * import { type Channel, isKnownChannel } from "@signalbox/core/Records"
 *
 * const symbols = { in_app: "I", email: "E", sms: "S", chat: "C", push: "P" }
 * const symbolOf = (channel: Channel): string => (isKnownChannel(channel) ? symbols[channel] : "?")
 * symbolOf("email") // => "E"
 * symbolOf("fax") // => "?"
 * ```
 */
export const isKnownChannel = (value: unknown): value is KnownChannel => isOneOf(channels, value)

/** One of the kinds of job that this version knows (API document: Resources, ActivityNotification). */
export type KnownJobType = (typeof jobTypes)[number]

/**
 * Whether a kind of job is one of those that this version knows (API document: Resources, ActivityNotification).
 *
 * @example
 * ```ts
 * import { isKnownJobType, type JobType } from "@signalbox/core/Records"
 *
 * const labelOf = (type: JobType): string => (isKnownJobType(type) ? type.toUpperCase() : `${type} (new)`)
 * labelOf("digest") // => "DIGEST"
 * labelOf("fax") // => "fax (new)"
 * ```
 */
export const isKnownJobType = (value: unknown): value is KnownJobType => isOneOf(jobTypes, value)

/**
 * One of the 20 providers that this version knows (API document: Resources, ChannelSettings).
 */
export type KnownChannelProviderId = (typeof channelProviderIds)[number]

/**
 * Whether a provider is one of the 20 that this version knows (API document: Resources, ChannelSettings).
 *
 * @example
 * ```ts
 * import { isKnownChannelProviderId } from "@signalbox/core/Records"
 *
 * isKnownChannelProviderId("fcm") // => true
 * isKnownChannelProviderId("carrier-pigeon") // => false
 * ```
 */
export const isKnownChannelProviderId = (value: unknown): value is KnownChannelProviderId =>
  isOneOf(channelProviderIds, value)

/**
 * One of the 77 providers of jobs that this version knows (API document: Resources, ActivityJob).
 */
export type KnownJobProviderId = (typeof jobProviderIds)[number]

/**
 * Whether a provider of a job is one of the 77 that this version knows (API document: Resources, ActivityJob).
 *
 * @example
 * ```ts
 * import { isKnownJobProviderId } from "@signalbox/core/Records"
 *
 * isKnownJobProviderId("ses") // => true
 * isKnownJobProviderId("carrier-pigeon") // => false
 * ```
 */
export const isKnownJobProviderId = (value: unknown): value is KnownJobProviderId => isOneOf(jobProviderIds, value)

/** One of the chat providers that this version knows (API document: Resources, ChannelSettings). */
export type ChatProviderId = (typeof chatProviderIds)[number]

/** One of the push providers that this version knows (API document: Resources, ChannelSettings). */
export type PushProviderId = (typeof pushProviderIds)[number]

// They come first in the document's order, with one provider of SMS among them.
/** The 20 e-mail providers (API document: Resources, ActivityJob). */
export const emailProviderIds: ReadonlyArray<KnownJobProviderId> = /* @__PURE__ */ jobProviderIds.filter(
  (providerId, index) => index <= 20 && providerId !== "clickatell"
)

/**
 * The channel that a provider serves; `undefined` for one that this version does not know.
 *
 * @example
 * ```ts
 * import { channelOfProvider } from "@signalbox/core/Records"
 *
 * channelOfProvider("fcm") // => "push"
 * channelOfProvider("carrier-pigeon") // => undefined
 * ```
 */
export const channelOfProvider = (providerId: string): KnownChannel | undefined => {
  const isIn = (providers: ReadonlyArray<string>) => providers.includes(providerId)
  if (providerId === "service") return "in_app"
  if (isIn(chatProviderIds)) return "chat"
  if (isIn(pushProviderIds)) return "push"
  if (isIn(emailProviderIds)) return "email"
  return isIn(jobProviderIds) ? "sms" : undefined
}
