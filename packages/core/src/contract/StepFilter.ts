/**
 * The conditions of steps, exactly as the API document has them (Resources, NotificationStep).
 *
 * **When to use**: to compare a service or a fake with the document. Programs read with the module of the same name
 * outside of `contract`, which takes what services really send.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { filterTypes, filterValues, filterOperators, filterSources } from "./KnownValues.ts"
import { mayBeAbsent } from "./Marks.ts"

export { filterTypes, filterValues, filterOperators, filterSources } from "./KnownValues.ts"

const absentWithoutComparison = {
  note: "absent where a newer source compares nothing, such as `previousStep`",
  because: "A running service (version 3.15.0) returns conditions on a previous step or on being online without it",
  absence: { requiredWhere: { field: "on", in: filterSources } }
}

const fieldFilterPartFields = {
  /** Field that is compared. */
  field: mayBeAbsent(Schema.String, absentWithoutComparison),
  /** Value that the field is compared with. */
  value: mayBeAbsent(Schema.String, absentWithoutComparison),
  /** Comparison. */
  operator: mayBeAbsent(Schema.Literals(filterOperators), absentWithoutComparison),
  /** Whether the field is one of the subscriber or of the payload. */
  on: Schema.Literals(filterSources)
}

/** One comparison of a step's filter (API document: Resources, NotificationStep). */
export const FieldFilterPart: Schema.Struct<typeof fieldFilterPartFields> = Schema.Struct(
  fieldFilterPartFields
).annotate({ identifier: "FieldFilterPart" })

const absentInOldFilters = {
  note: "absent in some stored filters",
  because: "Stored filters from before the field existed are returned unchanged"
}

const stepFilterFields = {
  /** Whether the outcome is turned around. */
  isNegated: mayBeAbsent(Schema.Boolean, absentInOldFilters),
  /** Kind of value that is compared. */
  type: mayBeAbsent(Schema.Literals(filterTypes), absentInOldFilters),
  /** Whether all parts must match, or any one of them. */
  value: Schema.Literals(filterValues),
  /** The comparisons. */
  children: Schema.Array(FieldFilterPart)
}

/** A condition under which a step runs (API document: Resources, NotificationStep). */
export const StepFilter: Schema.Struct<typeof stepFilterFields> = Schema.Struct(stepFilterFields).annotate({
  identifier: "StepFilter"
})
