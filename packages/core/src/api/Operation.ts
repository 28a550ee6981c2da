import type * as Schema from "effect/Schema"
import { type OperationName, operations } from "../contract/Operations.ts"

/** A schema of a JSON body that needs no services. */
type AnyBody = Schema.Codec<unknown, unknown>

/** The documentation and the schemas of an operation. */
export interface OperationSchemas<
  Params extends Schema.Top | undefined = Schema.Top | undefined,
  Query extends Schema.Top | undefined = Schema.Top | undefined,
  Payload extends Schema.Top | undefined = Schema.Top | undefined,
  Success extends AnyBody = AnyBody,
  Read extends AnyBody = AnyBody
> {
  /** Section of the API document. */
  readonly section: string
  /** A summary of the operation, in one line. */
  readonly summary: string
  /** Path parameters; `undefined` when the operation has none. */
  readonly params: Params
  /** Query parameters; `undefined` when the operation has none. */
  readonly query: Query
  /** JSON body of the request; `undefined` when the operation has none. */
  readonly payload: Payload
  /** Body of a successful response, exactly as the document says. */
  readonly success: Success
  /** Body of a successful response, as tolerant as reading should be. */
  readonly read: Read
}

/** The facts of an operation, without those that only the client needs. */
type FactsOf<Name extends OperationName> = Pick<(typeof operations)[Name], "method" | "path" | "status">

/**
 * An operation of the API: facts and schemas.
 */
export type Operation<
  Name extends OperationName = OperationName,
  Schemas extends OperationSchemas = OperationSchemas
> = { readonly name: Name } & FactsOf<Name> & Schemas

/** Joins the schemas of an operation with its facts. */
export const make = <
  const Name extends OperationName,
  Params extends Schema.Top | undefined,
  Query extends Schema.Top | undefined,
  Payload extends Schema.Top | undefined,
  Success extends AnyBody,
  Read extends AnyBody
>(
  name: Name,
  schemas: OperationSchemas<Params, Query, Payload, Success, Read>
): Operation<Name, OperationSchemas<Params, Query, Payload, Success, Read>> => ({
  name,
  ...operations[name],
  ...schemas
})
