/**
 * Schemas of subscribers and their credentials, with what reading tolerates.
 *
 * **When to use**: to decode, encode or generate values with `effect/Schema`. Calls read without schemas, by tables
 * generated from these.
 *
 * @since 0.1.0
 */
import type * as Model from "../models/Subscriber.ts"
import * as Schema from "effect/Schema"
import * as Contract from "../contract/Subscriber.ts"
import { modelSchema } from "./ModelSchema.ts"
import { mayBeNull } from "./Relaxed.ts"
import { ChannelProviderId } from "./Provider.ts"

/** Schema of `ChannelCredentials`. */
export const ChannelCredentials: Schema.Codec<Model.ChannelCredentials> =
  /* @__PURE__ */ modelSchema<Model.ChannelCredentials>()(Contract.ChannelCredentials)

const channelSettingsFields = {
  /** Provider that the credentials belong to; also one that is newer than this version. */
  providerId: ChannelProviderId,
  /** What the provider needs to reach the subscriber. */
  credentials: ChannelCredentials
}

/** Schema of `ChannelSettings`. */
export const ChannelSettings: Schema.Codec<Model.ChannelSettings> =
  /* @__PURE__ */ modelSchema<Model.ChannelSettings>()(
    Schema.Struct({
      ...Contract.ChannelSettings.fields,
      ...channelSettingsFields
    })
  )

const subscriberFields = {
  /** Credentials by provider; `null` in some old records. */
  channels: Schema.optionalKey(mayBeNull(Schema.Array(ChannelSettings)))
}

/** Schema of `Subscriber`. */
export const Subscriber: Schema.Codec<Model.Subscriber> = /* @__PURE__ */ modelSchema<Model.Subscriber>()(
  Schema.Struct({
    ...Contract.Subscriber.fields,
    ...subscriberFields
  })
)
