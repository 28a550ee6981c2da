/**
 * Units and days in the settings of digests and delays, as enumerations that stay open.
 *
 * **When to use**: to read the `metadata` of a step or the `digest` of a job.
 *
 * @since 0.1.0
 */
import type { monthlyTypes, ordinalValues, ordinals, timeUnits, weekDays, Open } from "../contract/KnownValues.ts"

/** Unit of an amount of time (API document: Resources, NotificationStep). */
export type TimeUnit = Open<typeof timeUnits>

/** A day of a week (API document: Resources, TimedConfig). */
export type WeekDay = Open<typeof weekDays>

/** Which one in a month: a number, or `last` (API document: Resources, TimedConfig). */
export type Ordinal = Open<typeof ordinals>

/** What an ordinal counts (API document: Resources, TimedConfig). */
export type OrdinalValue = Open<typeof ordinalValues>

/** Whether a monthly schedule names days (`each`) or an ordinal (`on`) (API document: Resources, TimedConfig). */
export type MonthlyType = Open<typeof monthlyTypes>
