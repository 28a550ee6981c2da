import * as Schema from "effect/Schema"
import * as Contract from "./contract/Subscriber.ts"
import { mayBeNull } from "./internal/reading/Relaxed.ts"
import { ChannelProviderId } from "./Provider.ts"

/**
 * What a provider needs to reach one subscriber; every field is optional (API document: Resources,
 * ChannelCredentials).
 */
export class ChannelCredentials extends Schema.Opaque<ChannelCredentials>()(Contract.ChannelCredentials) {}

/**
 * The credentials of one provider, as held by a subscriber (API document: Resources, ChannelSettings).
 */
export class ChannelSettings extends Schema.Opaque<ChannelSettings>()(
  Schema.Struct({
    ...Contract.ChannelSettings.fields,
    /** Provider that the credentials belong to; also one that is newer than this version. */
    providerId: ChannelProviderId,
    /** What the provider needs to reach the subscriber. */
    credentials: ChannelCredentials
  })
) {}

/**
 * A person or system that receives notifications, as read from a response (API document: Resources, Subscriber).
 */
export class Subscriber extends Schema.Opaque<Subscriber>()(
  Schema.Struct({
    ...Contract.Subscriber.fields,
    /** Credentials by provider; `null` in some old records. */
    channels: Schema.optionalKey(mayBeNull(Schema.Array(ChannelSettings)))
  })
) {}
