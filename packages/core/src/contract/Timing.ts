/** Units and days of the API document (Resources, NotificationStep and TimedConfig). */
import * as Schema from "effect/Schema"
import { timeUnits, weekDays, ordinals, ordinalValues, monthlyTypes } from "./KnownValues.ts"

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
