/**
 * The part of a Standard Schema (version 1) that calls use. Schemas of zod, valibot and arktype are Standard Schemas; a
 * schema of Effect is one after `Schema.toStandardSchemaV1`.
 */

/** Why a schema rejects a value. */
export interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** The outcome of a check: the value, or the issues. */
export type StandardResult<A> =
  | { readonly value: A; readonly issues?: undefined }
  | { readonly issues: ReadonlyArray<StandardIssue> }

/** A schema that accepts an `Input` and returns an `Output`, at once or later. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly "~standard": {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
  }
}

/** The keys that lead to the value of an issue. */
export const pathOf = ({ path = [] }: StandardIssue): ReadonlyArray<PropertyKey> =>
  path.map((segment) => (typeof segment === "object" ? segment.key : segment))
