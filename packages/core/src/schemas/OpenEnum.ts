/**
 * Enumerations that a newer service may extend.
 *
 * **When to use**: to narrow such a value to the ones that this version knows, and to make a schema of one for a
 * service's own field.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { isOneOf, type Open } from "../contract/KnownValues.ts"

export type { Open } from "../contract/KnownValues.ts"

/**
 * Schema of an {@link Open} value. `Name` is the type under which editors show the value; a separate name is shorter
 * than its values.
 */
export interface OpenEnum<
  Values extends ReadonlyArray<string | number>,
  Name extends Open<Values> = Open<Values>
> extends Schema.Codec<Name> {
  /** The values that this version knows. */
  readonly known: Values
}

/**
 * The annotation under which the schema of an open enum carries its known values.
 *
 * The generated tables carry them, too: a value outside of them passes and is reported.
 */
export const knownValuesAnnotation = "signalbox/knownValues"

/**
 * Makes the schema of an open enum: the service may send values that are newer than this version, and one of them in
 * one record must not cost the caller the page.
 *
 * It accepts every string by design, so it decodes as fast as a plain string; use {@link isKnown} to narrow.
 */
export const openEnum = <const Values extends ReadonlyArray<string | number>, Name extends Open<Values> = Open<Values>>(
  known: Values
): OpenEnum<Values, Name> => {
  const annotation = { [knownValuesAnnotation]: new Set<unknown>(known) }
  const open: SchemaAST.AST = known.every((value) => typeof value === "string")
    ? Schema.String.annotate(annotation).ast
    : Schema.Union([Schema.Finite, Schema.String]).annotate(annotation).ast
  // The type lists the known values as well as `string` for autocomplete; at run time both are strings.
  return Schema.make<OpenEnum<Values, Name>>(open, { known })
}

/**
 * Whether a value is one of those that this version knows; narrows to them.
 */
export const isKnown = <Values extends ReadonlyArray<string | number>>(
  schema: OpenEnum<Values>,
  value: unknown
): value is Values[number] => isOneOf(schema.known, value)
