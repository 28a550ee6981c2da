/** The enumerations that several records have, exactly as the API document has them. */
import * as Schema from "effect/Schema"
import {
  channelProviderIds,
  channels,
  jobProviderIds,
  jobTypes,
  monthlyTypes,
  ordinals,
  ordinalValues,
  timeUnits,
  weekDays
} from "./KnownValues.ts"

/** Unit of an amount of time (API document: Resources, NotificationStep). */
export const TimeUnit = Schema.Literals(timeUnits).annotate({ identifier: "TimeUnit" })

/** A day of a week (API document: Resources, TimedConfig). */
export const WeekDay = Schema.Literals(weekDays).annotate({ identifier: "WeekDay" })

/** Which one in a month: a number from 1 to 5, or `last` (API document: Resources, TimedConfig). */
export const Ordinal = Schema.Literals(ordinals).annotate({ identifier: "Ordinal" })

/** What an ordinal counts, for example `weekday` in "the last weekday" (API document: Resources, TimedConfig). */
export const OrdinalValue = Schema.Literals(ordinalValues).annotate({ identifier: "OrdinalValue" })

/** Whether a monthly schedule names days (`each`) or an ordinal (`on`) (API document: Resources, TimedConfig). */
export const MonthlyType = Schema.Literals(monthlyTypes).annotate({ identifier: "MonthlyType" })

/**
 * The channel of a message (API document: Resources, Message).
 */
export const Channel = Schema.Literals(channels).annotate({ identifier: "Channel" })

/**
 * The kind of a job (API document: Resources, ActivityNotification).
 */
export const JobType = Schema.Literals(jobTypes).annotate({ identifier: "JobType" })

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
