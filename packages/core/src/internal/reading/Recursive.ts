import * as Schema from "effect/Schema"
import * as SchemaParser from "effect/SchemaParser"

/**
 * The annotation under which a {@link recursive} schema carries the schema that its values have.
 */
export const recursiveAnnotation = "signalbox/recursive"

/**
 * A value of a schema that is not defined yet, checked by a guard.
 *
 * `Schema.suspend` in one place turns code generation off for every schema around it; a guard on an unknown value
 * does not. The value is kept as it is: what the schema does not know stays in it.
 */
export const recursive = <A>(schema: () => Schema.Codec<A, unknown>): Schema.Codec<A, unknown> => {
  let guard: ((value: unknown) => boolean) | undefined
  const isValue = (value: unknown): value is A => (guard ??= SchemaParser.is(schema()))(value)
  return Schema.Unknown.pipe(
    Schema.refine(isValue, { expected: "a value of the enclosing shape", [recursiveAnnotation]: schema })
  )
}
