import * as Schema from "effect/Schema"
import * as Contract from "./contract/StepFilter.ts"
import { mayBeAbsent } from "./internal/reading/Relaxed.ts"
import { openEnum } from "./OpenEnum.ts"

/** One comparison of a step's filter (API document: Resources, NotificationStep). */
export class FieldFilterPart extends Schema.Opaque<FieldFilterPart>()(
  Schema.Struct({
    ...Contract.FieldFilterPart.fields,
    /** Comparison. */
    operator: openEnum(Contract.filterOperators),
    /** Whether the field is one of the subscriber or of the payload. */
    on: openEnum(Contract.filterSources)
  })
) {}

/** A condition under which a step runs (API document: Resources, NotificationStep). */
export class StepFilter extends Schema.Opaque<StepFilter>()(
  Schema.Struct({
    ...Contract.StepFilter.fields,
    /** Whether the outcome is turned around; absent in some stored filters. */
    isNegated: mayBeAbsent(Schema.Boolean),
    /** Kind of value that is compared; absent in some stored filters. */
    type: mayBeAbsent(openEnum(Contract.filterTypes)),
    /** Whether all parts must hold or one is enough. */
    value: openEnum(Contract.filterValues),
    /** The comparisons. */
    children: Schema.Array(FieldFilterPart)
  })
) {}
