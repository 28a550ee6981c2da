/**
 * The conditions under which a step runs, as the service sends them.
 *
 * **When to use**: for the `filters` of a workflow's step, or of the step of a job.
 *
 * @since 0.1.0
 */
import type { filterOperators, filterSources, filterTypes, filterValues, Open } from "../contract/KnownValues.ts"

/** One comparison of a step's filter (API document: Resources, NotificationStep). */
export interface FieldFilterPart {
  /** Field that is compared. */
  readonly field: string
  /** Value that the field is compared with. */
  readonly value: string
  /** Comparison. */
  readonly operator: Open<typeof filterOperators>
  /** Whether the field is one of the subscriber or of the payload. */
  readonly on: Open<typeof filterSources>
}

/** A condition under which a step runs (API document: Resources, NotificationStep). */
export interface StepFilter {
  /** Whether the outcome is turned around; absent in some stored filters. */
  readonly isNegated?: boolean
  /** Kind of value that is compared; absent in some stored filters. */
  readonly type?: Open<typeof filterTypes>
  /** Whether all parts must match, or any one of them. */
  readonly value: Open<typeof filterValues>
  /** The comparisons. */
  readonly children: ReadonlyArray<FieldFilterPart>
}
