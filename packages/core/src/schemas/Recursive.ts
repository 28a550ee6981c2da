import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaParser from "effect/SchemaParser"
import { deepestNesting } from "../contract/Shape.ts"

type Lazy<A> = () => Schema.Codec<A, unknown>

const recursiveAnnotation = "signalbox/recursive"

/**
 * A value of a schema that is not defined yet, checked by a guard.
 *
 * `Schema.suspend` in one place turns code generation off for every schema around it; a guard on an unknown value
 * does not. The value is kept unchanged, including parts that the schema does not describe.
 */
export const recursive = <A>(schema: Lazy<A>): Schema.Codec<A> => {
  let guard: ((value: unknown) => boolean) | undefined
  let depth = 0
  const isValue = (value: unknown): value is A => {
    if (depth === deepestNesting) return false
    depth++
    const fits = (guard ??= SchemaParser.is(schema()))(value)
    depth--
    return fits
  }
  // The value is kept unchanged, so it encodes to itself.
  return Schema.Unknown.pipe(
    Schema.refine(isValue, {
      expected: `a value of the enclosing shape, nested at most ${deepestNesting} deep`,
      [recursiveAnnotation]: schema
    })
  ) as Schema.Codec<A>
}

/**
 * The schema behind an AST that {@link recursive} made.
 */
export const recursiveSchemaOf = (ast: SchemaAST.AST): Lazy<unknown> | undefined =>
  // The annotation is only ever set by `recursive`, with a value of this type.
  ast.checks?.[0].annotations?.[recursiveAnnotation] as Lazy<unknown> | undefined
