import type * as Schema from "effect/Schema"

/** `never` unless a schema has exactly the fields of a model, each optional where the model's is. */
type Exactly<Model, S extends { readonly Type: unknown }> = [Model, keyof S["Type"], keyof Model] extends [
  S["Type"],
  keyof Model,
  keyof S["Type"]
]
  ? S
  : never

/**
 * Declares a schema as the codec of a model. Models are plain interfaces, so that their declarations need no library; the
 * compiler rejects a schema that differs from its model in any field.
 */
export const modelSchema =
  <Model>() =>
  <S extends Schema.Codec<Model>>(schema: Exactly<Model, S>): Schema.Codec<Model> =>
    schema
