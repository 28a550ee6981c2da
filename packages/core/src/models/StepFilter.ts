/**
 * The conditions under which a step runs, as the service sends them.
 *
 * **When to use**: for the `filters` of a workflow's step, or of the step of a job.
 *
 * @since 0.1.0
 */
export type { FieldFilterPart, StepFilter } from "./Records.ts"
