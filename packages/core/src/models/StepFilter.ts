/**
 * The conditions under which a step runs, as the service sends them.
 *
 * **When to use**: for the `filters` of a workflow's step, or of the step of a job.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as Contract from "../contract/StepFilter.ts"
import { mayBeAbsent } from "./Relaxed.ts"
import { openEnum } from "../contract/OpenEnum.ts"
import type { Read } from "./Read.ts"

const fieldFilterPartFields = {
  /** Comparison. */
  operator: openEnum(Contract.filterOperators),
  /** Whether the field is one of the subscriber or of the payload. */
  on: openEnum(Contract.filterSources)
}

/** One comparison of a step's filter (API document: Resources, NotificationStep). */
export interface FieldFilterPart extends Read<typeof Contract.FieldFilterPart.fields, typeof fieldFilterPartFields> {}

/** Schema of {@link FieldFilterPart}. */
export const FieldFilterPart: Schema.Codec<FieldFilterPart> = Schema.Struct({
  ...Contract.FieldFilterPart.fields,
  ...fieldFilterPartFields
})

const stepFilterFields = {
  /** Whether the outcome is turned around; absent in some stored filters. */
  isNegated: mayBeAbsent(Schema.Boolean),
  /** Kind of value that is compared; absent in some stored filters. */
  type: mayBeAbsent(openEnum(Contract.filterTypes)),
  /** Whether all parts must hold or one is enough. */
  value: openEnum(Contract.filterValues),
  /** The comparisons. */
  children: Schema.Array(FieldFilterPart)
}

/** A condition under which a step runs (API document: Resources, NotificationStep). */
export interface StepFilter extends Read<typeof Contract.StepFilter.fields, typeof stepFilterFields> {}

/** Schema of {@link StepFilter}. */
export const StepFilter: Schema.Codec<StepFilter> = Schema.Struct({
  ...Contract.StepFilter.fields,
  ...stepFilterFields
})
