/**
 * The codec of faults: faults read from JSON and faults built in code follow the same rules.
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { inputReader, integer, NonEmpty } from "../input/Input.ts"
import { OperationNameSchema } from "../input/RouteNames.ts"
import { faultPoints } from "./FaultInjector.ts"
import { type Fault, type FaultForm, formNames, formRecords, pointsOf } from "./FaultForms.ts"

const forms: ReadonlyArray<Schema.Codec<FaultForm>> = formNames.map((name) => formRecords[name].schema)

const form: Schema.Codec<FaultForm> = Schema.Union(forms).annotate({
  expected: `an object whose _tag is one of ${formNames.join(", ")}`
})

/** The fields of a fault besides its form and its point, with their schemas. @internal */
export const otherFields = {
  operation: Schema.optionalKey(OperationNameSchema),
  attempt: Schema.optionalKey(integer(1)),
  request: Schema.optionalKey(integer(1)),
  key: Schema.optionalKey(NonEmpty),
  probability: Schema.optionalKey(
    Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }, { expected: "a number from 0 to 1" }))
  ),
  times: Schema.optionalKey(Schema.Union([integer(1), Schema.Literal("always")]))
}

const point = Schema.Literals(faultPoints)

const valid: Schema.Codec<Fault> = Schema.Struct({ form, point, ...otherFields }).check(
  Schema.makeFilter((fault: Fault) => {
    const { _tag } = fault.form
    if (pointsOf(_tag).includes(fault.point)) return undefined
    return { path: ["point"], issue: `${_tag} happens at ${String(pointsOf(_tag))}, not at ${fault.point}` }
  })
)

/** A fault as JSON: without `point` it happens at the first point of its form. */
export type FaultJson = Omit<Fault, "point"> & Partial<Pick<Fault, "point">>

/** The codec between a fault and its JSON. @internal */
export const schema: Schema.Codec<Fault, FaultJson> = Schema.Struct({
  form,
  point: Schema.optionalKey(point),
  ...otherFields
}).pipe(
  Schema.decodeTo(
    valid,
    SchemaTransformation.transform<Fault, FaultJson>({
      decode: (json) => ({ ...json, point: json.point ?? formRecords[json.form._tag].points[0] }),
      encode: (fault) => fault
    })
  )
)

/**
 * Reads a fault from a JSON value.
 *
 * @throws RangeError in one line that names the place and what is expected there.
 * @example
 * ```ts
 * import { Fault } from "@signalbox/test-harness"
 *
 * Fault.fromJson({ form: { _tag: "NoResponse", failure: "reset" }, point: "committed", attempt: 1 })
 * ```
 */
export const fromJson: (value: unknown) => Fault = inputReader("fault", () => schema)
