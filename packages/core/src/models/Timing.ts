/**
 * Units and days in the settings of digests and delays, as enumerations that stay open.
 *
 * **When to use**: to read the `metadata` of a step or the `digest` of a job.
 *
 * @since 0.1.0
 */
export type { TimeUnit, WeekDay, Ordinal, OrdinalValue, MonthlyType } from "./Records.ts"
