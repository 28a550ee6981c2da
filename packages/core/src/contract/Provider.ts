/** The providers of the API document (Resources, ChannelSettings and ActivityJob). */
import * as Schema from "effect/Schema"
import { channelProviderIds, jobProviderIds } from "./KnownValues.ts"

/**
 * A provider for which a subscriber can have credentials, exactly the 20 values of the document (API document:
 * Resources, ChannelSettings).
 */
export const ChannelProviderId = Schema.Literals(channelProviderIds).annotate({
  identifier: "ChannelProviderId",
  // Requests are checked against it, and the caller needs a list of the allowed values.
  message: `Expected one of ${channelProviderIds.join(", ")}`
})

/**
 * A provider that can carry out a job of an event (API document: Resources, ActivityJob).
 */
export const JobProviderId = Schema.Literals(jobProviderIds).annotate({ identifier: "JobProviderId" })
