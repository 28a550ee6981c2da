/**
 * The operations of the API, as values.
 *
 * **When to use**: for tools that need the wire itself, such as a fake or a proxy. A client of the service has its
 * methods instead.
 *
 * @since 0.1.0
 */
import type * as Schema from "effect/Schema"

/** The names of the operations, from which all other names are derived. */
export type OperationName = "credentials.upsert" | "messages.markAs" | "events.list"

/** A schema of a JSON body that needs no services. */
type AnyBody = Schema.Codec<unknown, unknown>

/**
 * One operation of the API as a value: all that is known about its wire, written once.
 *
 * The client sends and reads by it, the `HttpApi` and the OpenAPI document are built from it.
 *
 * @example
 * ```ts
 * import { EventsList } from "@signalbox/core/operation/EventsList"
 *
 * `${EventsList.method} ${EventsList.path}` // => "GET /v1/notifications"
 * ```
 */
export interface Operation<
  Name extends OperationName = OperationName,
  Method extends "GET" | "POST" | "PATCH" = "GET" | "POST" | "PATCH",
  Path extends `/v1/${string}` = `/v1/${string}`,
  Params extends Schema.Top | undefined = Schema.Top | undefined,
  Query extends Schema.Top | undefined = Schema.Top | undefined,
  Payload extends Schema.Top | undefined = Schema.Top | undefined,
  Success extends AnyBody = AnyBody,
  Read extends AnyBody = AnyBody,
  Status extends 200 | 201 = 200 | 201
> {
  /** Name of the operation, from which all other names are derived. */
  readonly name: Name
  /** HTTP method. */
  readonly method: Method
  /** Path below the base URL; `:name` stands for a path parameter. */
  readonly path: Path
  /** Path parameters. */
  readonly params: Params
  /** Query parameters; `undefined` when the operation has none. */
  readonly query: Query
  /** JSON body of the request; `undefined` when the operation has none. */
  readonly payload: Payload
  /** Body of a successful response, exactly as the document says. */
  readonly success: Success
  /** Body of a successful response, as tolerant as reading should be. */
  readonly read: Read
  /** Documented status of a successful response; a client takes any 2xx. */
  readonly status: Status
  /** Section of the API document. */
  readonly section: string
  /** What the operation does, in one line. */
  readonly summary: string
}

/**
 * Makes an {@link Operation} with the exact types of its parts.
 */
export const make = <
  const Name extends OperationName,
  const Method extends "GET" | "POST" | "PATCH",
  const Path extends `/v1/${string}`,
  Params extends Schema.Top | undefined,
  Query extends Schema.Top | undefined,
  Payload extends Schema.Top | undefined,
  Success extends AnyBody,
  Read extends AnyBody,
  const Status extends 200 | 201
>(
  operation: Operation<Name, Method, Path, Params, Query, Payload, Success, Read, Status>
): Operation<Name, Method, Path, Params, Query, Payload, Success, Read, Status> => operation
