/**
 * Schemas of units and days in the settings of digests and delays, as enumerations that stay open.
 *
 * **When to use**: to decode, encode or generate values with `effect/Schema`. Calls read without schemas, by tables
 * generated from these.
 *
 * @since 0.1.0
 */
import * as Contract from "../contract/Timing.ts"
import { openEnum } from "./OpenEnum.ts"

/** Unit of an amount of time (API document: Resources, NotificationStep). */
export const TimeUnit = openEnum(Contract.timeUnits)

/** A day of a week (API document: Resources, TimedConfig). */
export const WeekDay = openEnum(Contract.weekDays)

/** Which one in a month: a number, or `last` (API document: Resources, TimedConfig). */
export const Ordinal = openEnum(Contract.ordinals)

/** What an ordinal counts (API document: Resources, TimedConfig). */
export const OrdinalValue = openEnum(Contract.ordinalValues)

/** Whether a monthly schedule names days (`each`) or an ordinal (`on`) (API document: Resources, TimedConfig). */
export const MonthlyType = openEnum(Contract.monthlyTypes)
