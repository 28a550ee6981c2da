/**
 * Subscribers and their credentials, as the service sends them.
 *
 * **When to use**: for the answer of `Credentials.upsert`, and for the subscriber inside of a message. What a caller
 * sends is a `CredentialsInput`.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Contract from "../contract/Subscriber.ts"
import { mayBeNull } from "./Relaxed.ts"
import { ChannelProviderId } from "./Provider.ts"
import type { Read } from "./Read.ts"

/**
 * What a provider needs to reach one subscriber; every field is optional (API document: Resources,
 * ChannelCredentials).
 */
export interface ChannelCredentials extends Schema.Struct.Type<typeof Contract.ChannelCredentials.fields> {}

/** Schema of {@link ChannelCredentials}. */
export const ChannelCredentials: Schema.Codec<ChannelCredentials> = Contract.ChannelCredentials

const channelSettingsFields = {
  /** Provider that the credentials belong to; also one that is newer than this version. */
  providerId: ChannelProviderId,
  /** What the provider needs to reach the subscriber. */
  credentials: ChannelCredentials
}

/**
 * The credentials of one provider, as held by a subscriber (API document: Resources, ChannelSettings).
 */
export interface ChannelSettings extends Read<typeof Contract.ChannelSettings.fields, typeof channelSettingsFields> {}

/** Schema of {@link ChannelSettings}. */
export const ChannelSettings: Schema.Codec<ChannelSettings> = Schema.Struct({
  ...Contract.ChannelSettings.fields,
  ...channelSettingsFields
})

const subscriberFields = {
  /** Credentials by provider; `null` in some old records. */
  channels: Schema.optionalKey(mayBeNull(Schema.Array(ChannelSettings)))
}

/**
 * A person or system that receives notifications, as read from a response (API document: Resources, Subscriber).
 *
 * Optional fields that the service does not know are absent or `null`, without a difference in meaning.
 *
 * @example
 * ```ts
 * import * as Schema from "effect/Schema"
 * import { Subscriber } from "@signalbox/core/Subscriber"
 *
 * const subscriber = Schema.decodeUnknownSync(Subscriber)({
 *   subscriberId: "ada",
 *   _organizationId: "organization",
 *   _environmentId: "environment",
 *   deleted: false,
 *   createdAt: "2026-01-01T00:00:00.000Z",
 *   updatedAt: "2026-01-01T00:00:00.000Z"
 * })
 *
 * subscriber.channels ?? [] // => []
 * ```
 */
export interface Subscriber extends Read<typeof Contract.Subscriber.fields, typeof subscriberFields> {}

/** Schema of {@link Subscriber}. */
export const Subscriber: Schema.Codec<Subscriber> = Schema.Struct({
  ...Contract.Subscriber.fields,
  ...subscriberFields
})
