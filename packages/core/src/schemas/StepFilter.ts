/**
 * Schemas of the conditions under which a step runs.
 *
 * **When to use**: to decode, encode or generate values with `effect/Schema`. Calls read without schemas, by tables
 * generated from these.
 *
 * @since 0.1.0
 */
import type * as Model from "../models/StepFilter.ts"
import * as Schema from "effect/Schema"
import * as Contract from "../contract/StepFilter.ts"
import { modelSchema } from "./ModelSchema.ts"
import { mayBeAbsent } from "./Relaxed.ts"
import { openEnum } from "./OpenEnum.ts"

const fieldFilterPartFields = {
  /** Comparison. */
  operator: openEnum(Contract.filterOperators),
  /** Whether the field is one of the subscriber or of the payload. */
  on: openEnum(Contract.filterSources)
}

/** Schema of `FieldFilterPart`. */
export const FieldFilterPart: Schema.Codec<Model.FieldFilterPart> =
  /* @__PURE__ */ modelSchema<Model.FieldFilterPart>()(
    Schema.Struct({
      ...Contract.FieldFilterPart.fields,
      ...fieldFilterPartFields
    })
  )

const stepFilterFields = {
  /** Whether the outcome is turned around; absent in some stored filters. */
  isNegated: mayBeAbsent(Schema.Boolean),
  /** Kind of value that is compared; absent in some stored filters. */
  type: mayBeAbsent(openEnum(Contract.filterTypes)),
  /** Whether all parts must match, or any one of them. */
  value: openEnum(Contract.filterValues),
  /** The comparisons. */
  children: Schema.Array(FieldFilterPart)
}

/** Schema of `StepFilter`. */
export const StepFilter: Schema.Codec<Model.StepFilter> = /* @__PURE__ */ modelSchema<Model.StepFilter>()(
  Schema.Struct({
    ...Contract.StepFilter.fields,
    ...stepFilterFields
  })
)
