/**
 * Units and days of the API document (Resources, NotificationStep and TimedConfig).
 *
 * **When to use**: to hold a service or a fake against the document. Programs read with the module of the same name
 * outside of `contract`, which takes what services really send.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/** The units in which a digest or delay is measured (API document: Resources, NotificationStep). */
export const timeUnits = ["seconds", "minutes", "hours", "days", "weeks", "months"] as const

/** Unit of an amount of time (API document: Resources, NotificationStep). */
export const TimeUnit = Schema.Literals(timeUnits).annotate({ identifier: "TimeUnit" })

/** The days of a week, Monday first (API document: Resources, TimedConfig). */
export const weekDays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const

/** A day of a week (API document: Resources, TimedConfig). */
export const WeekDay = Schema.Literals(weekDays).annotate({ identifier: "WeekDay" })

/** The positions in a month: a number or the word `last` (API document: Resources, TimedConfig). */
export const ordinals = [1, 2, 3, 4, 5, "last"] as const

/** Which one in a month: a number from 1 to 5, or `last` (API document: Resources, TimedConfig). */
export const Ordinal = Schema.Literals(ordinals).annotate({ identifier: "Ordinal" })

/** What an ordinal counts (API document: Resources, TimedConfig). */
export const ordinalValues = [
  "day",
  "weekday",
  "weekend",
  "sunday",
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday"
] as const

/** What an ordinal counts, for example `weekday` in "the last weekday" (API document: Resources, TimedConfig). */
export const OrdinalValue = Schema.Literals(ordinalValues).annotate({ identifier: "OrdinalValue" })

/** The two ways to say when in a month (API document: Resources, TimedConfig). */
export const monthlyTypes = ["each", "on"] as const

/** Whether a monthly schedule names days (`each`) or an ordinal (`on`) (API document: Resources, TimedConfig). */
export const MonthlyType = Schema.Literals(monthlyTypes).annotate({ identifier: "MonthlyType" })

/** The shapes of a digest: repeating, with backoff, or at set times (API document: Resources, ActivityJob). */
export const digestTypes = ["regular", "backoff", "timed"] as const
