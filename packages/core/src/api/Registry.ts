/**
 * The operations of the API with their schemas, by name.
 *
 * **When to use**: for tools that go through all operations with their schemas. `Operations` has the facts alone.
 *
 * @since 0.1.0
 */
import type { OperationName } from "../contract/Operations.ts"
import { CredentialsUpsert } from "./CredentialsUpsert.ts"
import { EventsList } from "./EventsList.ts"
import { MessagesMarkAs } from "./MessagesMarkAs.ts"
import type { Operation } from "./Operation.ts"

/**
 * Every operation with its schemas.
 *
 * @example
 * ```ts
 * import { registry } from "@signalbox/core/Registry"
 *
 * registry["messages.markAs"].status // => 201
 * ```
 */
export const registry = {
  "credentials.upsert": CredentialsUpsert,
  "messages.markAs": MessagesMarkAs,
  "events.list": EventsList
} satisfies { readonly [Name in OperationName]: Operation<Name> }
