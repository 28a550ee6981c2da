import type * as Schema from "effect/Schema"

/**
 * The type of a read model: the fields of the contract, with its own in place of those of the same name.
 *
 * Models are interfaces over this type rather than inferred from a schema, because only declared members keep their
 * documentation, deprecations among it, in the declaration files that users get.
 */
export type Read<Contract extends Schema.Struct.Fields, Own extends Schema.Struct.Fields> = Schema.Struct.Type<
  Omit<Contract, keyof Own> & Own
>
