/** The conditions of steps, exactly as the API document has them (Resources, NotificationStep). */
import * as Schema from "effect/Schema"
import { filterTypes, filterValues, filterOperators, filterSources } from "./KnownValues.ts"
import { mayBeAbsent, record } from "./Marks.ts"

const absentWithoutComparison = {
  note: "absent where a newer source compares nothing, such as `previousStep`",
  because: "A running service (version 3.15.0) returns conditions on a previous step or on being online without it",
  absence: { requiredWhere: { field: "on", in: filterSources } }
}

/** One comparison of a step's filter (API document: Resources, NotificationStep). */
export const FieldFilterPart = record("FieldFilterPart", {
  /** Field that is compared. */
  field: mayBeAbsent(Schema.String, absentWithoutComparison),
  /** Value that the field is compared with. */
  value: mayBeAbsent(Schema.String, absentWithoutComparison),
  /** Comparison. */
  operator: mayBeAbsent(Schema.Literals(filterOperators), absentWithoutComparison),
  /** Whether the field is one of the subscriber or of the payload. */
  on: Schema.Literals(filterSources)
})

const absentInOldFilters = {
  note: "absent in some stored filters",
  because: "Stored filters from before the field existed are returned unchanged"
}

/** A condition under which a step runs (API document: Resources, NotificationStep). */
export const StepFilter = record("StepFilter", {
  /** Whether the outcome is turned around. */
  isNegated: mayBeAbsent(Schema.Boolean, absentInOldFilters),
  /** Kind of value that is compared. */
  type: mayBeAbsent(Schema.Literals(filterTypes), absentInOldFilters),
  /** Whether all parts must match, or any one of them. */
  value: Schema.Literals(filterValues),
  /** The comparisons. */
  children: Schema.Array(FieldFilterPart)
})
