/**
 * The providers through which the service reaches a subscriber.
 *
 * **When to use**: to offer a choice of providers, or to find the channel that one serves.
 *
 * @since 0.1.0
 */
export type { ChannelProviderId, JobProviderId } from "./Records.ts"
import type { KnownChannel } from "./Channel.ts"
import {
  channelProviderIds,
  chatProviderIds,
  isOneOf,
  jobProviderIds,
  pushProviderIds
} from "../contract/KnownValues.ts"

export { channelProviderIds, jobProviderIds, chatProviderIds, pushProviderIds } from "../contract/KnownValues.ts"

/**
 * One of the 20 providers that this version knows (API document: Resources, ChannelSettings).
 */
export type KnownChannelProviderId = (typeof channelProviderIds)[number]

/**
 * Whether a provider is one of the 20 that this version knows (API document: Resources, ChannelSettings).
 *
 * @example
 * ```ts
 * import { isKnownChannelProviderId } from "@signalbox/core/Provider"
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
 * import { isKnownJobProviderId } from "@signalbox/core/Provider"
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
 * import { channelOfProvider } from "@signalbox/core/Provider"
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
