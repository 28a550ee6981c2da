import * as Schema from "effect/Schema"
import type { Open } from "../contract/KnownValues.ts"

/**
 * The annotation under which the schema of an open enum carries its known values.
 *
 * The generated tables carry them, too: a value outside of them passes and is reported.
 */
export const knownValuesAnnotation = "signalbox/knownValues"

/**
 * Makes the schema of an enumeration that a newer service may extend: one value of it in one record must not cost the
 * caller the page. It accepts every string by design, so it decodes as fast as a plain string.
 *
 * `Name` is the type under which editors show the value; a separate name is shorter than its values.
 */
export const openEnum = <const Values extends ReadonlyArray<string | number>, Name extends Open<Values> = Open<Values>>(
  known: Values
): Schema.Codec<Name> => {
  const annotation = { [knownValuesAnnotation]: new Set<unknown>(known) }
  const open = known.every((value) => typeof value === "string")
    ? Schema.String.annotate(annotation)
    : Schema.Union([Schema.Finite, Schema.String]).annotate(annotation)
  // The type lists the known values as well as `string` for autocomplete; at run time both are strings.
  return Schema.make<Schema.Codec<Name>>(open.ast)
}
