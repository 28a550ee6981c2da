/**
 * The channels of messages and the kinds of job, as enumerations that stay open.
 *
 * **When to use**: to choose by channel or kind of job. A service may send one that is newer than this version; the
 * guards narrow to the known ones, so that a `switch` over them is exhaustive.
 *
 * @since 0.1.0
 */
export type { Channel, JobType } from "./Records.ts"
import { isOneOf, channels, jobTypes } from "../contract/KnownValues.ts"

export { channels, jobTypes } from "../contract/KnownValues.ts"

/** One of the channels that this version knows (API document: Resources, Message). */
export type KnownChannel = (typeof channels)[number]

/**
 * Whether a channel is one of those that this version knows (API document: Resources, Message).
 *
 * @example
 * ```ts
 * import { type Channel, isKnownChannel } from "@signalbox/core/Channel"
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
 * import { isKnownJobType, type JobType } from "@signalbox/core/Channel"
 *
 * const labelOf = (type: JobType): string => (isKnownJobType(type) ? type.toUpperCase() : `${type} (new)`)
 * labelOf("digest") // => "DIGEST"
 * labelOf("fax") // => "fax (new)"
 * ```
 */
export const isKnownJobType = (value: unknown): value is KnownJobType => isOneOf(jobTypes, value)
