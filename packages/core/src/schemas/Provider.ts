/**
 * Schemas of providers, as enumerations that stay open.
 *
 * **When to use**: to decode, encode or generate values with `effect/Schema`. Calls read without schemas, by tables
 * generated from these.
 *
 * @since 0.1.0
 */
import type * as Model from "../models/Provider.ts"
import * as Contract from "../contract/Provider.ts"
import { openEnum } from "./OpenEnum.ts"

/** Schema of `ChannelProviderId`. */
export const ChannelProviderId = openEnum<typeof Contract.channelProviderIds, Model.ChannelProviderId>(
  Contract.channelProviderIds
)

/** Schema of `JobProviderId`. */
export const JobProviderId = openEnum<typeof Contract.jobProviderIds, Model.JobProviderId>(Contract.jobProviderIds)
