/**
 * Units and days in the settings of digests and delays, as enumerations that stay open.
 *
 * **When to use**: to read the `metadata` of a step or the `digest` of a job.
 *
 * @since 0.1.0
 */
import * as Contract from "../contract/Timing.ts"
import { openEnum } from "../contract/OpenEnum.ts"

/** Unit of an amount of time (API document: Resources, NotificationStep). */
export const TimeUnit = openEnum(Contract.timeUnits)
export type TimeUnit = typeof TimeUnit.Type

/** A day of a week (API document: Resources, TimedConfig). */
export const WeekDay = openEnum(Contract.weekDays)
export type WeekDay = typeof WeekDay.Type

/** Which one in a month: a number, or `last` (API document: Resources, TimedConfig). */
export const Ordinal = openEnum(Contract.ordinals)
export type Ordinal = typeof Ordinal.Type

/** What an ordinal counts (API document: Resources, TimedConfig). */
export const OrdinalValue = openEnum(Contract.ordinalValues)
export type OrdinalValue = typeof OrdinalValue.Type

/** Whether a monthly schedule names days (`each`) or an ordinal (`on`) (API document: Resources, TimedConfig). */
export const MonthlyType = openEnum(Contract.monthlyTypes)
export type MonthlyType = typeof MonthlyType.Type
