/**
 * The conditions of steps, exactly as the API document has them (Resources, NotificationStep).
 *
 * **When to use**: to hold a service or a fake against the document. Programs read with the module of the same name
 * outside of `contract`, which takes what services really send.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"

/** The kinds of value that a filter compares (API document: Resources, NotificationStep). */
export const filterTypes = ["BOOLEAN", "TEXT", "DATE", "NUMBER", "STATEMENT", "LIST", "MULTI_LIST", "GROUP"] as const

/** How the parts of a filter combine (API document: Resources, NotificationStep). */
export const filterValues = ["AND", "OR"] as const

/** The comparisons of a filter part (API document: Resources, NotificationStep). */
export const filterOperators = [
  "LARGER",
  "SMALLER",
  "LARGER_EQUAL",
  "SMALLER_EQUAL",
  "EQUAL",
  "NOT_EQUAL",
  "ALL_IN",
  "ANY_IN",
  "NOT_IN",
  "BETWEEN",
  "NOT_BETWEEN",
  "LIKE",
  "NOT_LIKE",
  "IN"
] as const

/** Where the value that a filter part compares comes from (API document: Resources, NotificationStep). */
export const filterSources = ["subscriber", "payload"] as const

const fieldFilterPartFields = {
  /** Field that is compared. */
  field: Schema.String,
  /** Value that the field is compared with. */
  value: Schema.String,
  /** Comparison. */
  operator: Schema.Literals(filterOperators),
  /** Whether the field is one of the subscriber or of the payload. */
  on: Schema.Literals(filterSources)
}

/** One comparison of a step's filter (API document: Resources, NotificationStep). */
export const FieldFilterPart: Schema.Struct<typeof fieldFilterPartFields> = Schema.Struct(
  fieldFilterPartFields
).annotate({ identifier: "FieldFilterPart" })

const stepFilterFields = {
  /** Whether the outcome is turned around. */
  isNegated: Schema.Boolean,
  /** Kind of value that is compared. */
  type: Schema.Literals(filterTypes),
  /** Whether all parts must hold or one is enough. */
  value: Schema.Literals(filterValues),
  /** The comparisons. */
  children: Schema.Array(FieldFilterPart)
}

/** A condition under which a step runs (API document: Resources, NotificationStep). */
export const StepFilter: Schema.Struct<typeof stepFilterFields> = Schema.Struct(stepFilterFields).annotate({
  identifier: "StepFilter"
})
