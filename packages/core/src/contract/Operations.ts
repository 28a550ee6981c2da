/**
 * The operations of the API and their parameters as plain facts, in modules without schemas.
 *
 * **When to use**: for tools that need the wire itself, such as a fake, a proxy or a command line. A fake that keys a table
 * by `keyof (typeof parameters)[Name]["query"]` does not compile until it implements a new parameter.
 *
 * **Details**: a new operation starts here. The compiler then reports every other place that needs it. Where a fact
 * distinguishes operations, use the fact instead of the name.
 *
 * @since 0.1.0
 */
import type { OperationName } from "./Positions.ts"

export * from "./Parameters.ts"
export { type OperationName, operationNames, positions } from "./Positions.ts"

/** Keys that lead to a value; `*` stands for every element of an array. */
export type FieldPosition = ReadonlyArray<string>

/** Where values with a special meaning are in the requests and responses of an operation. */
export interface OperationPositions {
  /** Positions of secrets in the request body. */
  readonly secrets: ReadonlyArray<FieldPosition>
  /** Positions of lists in the request body that the service appends to its own: sending one twice does harm. */
  readonly appends: ReadonlyArray<FieldPosition>
  /** Positions of provider and origin identifiers, which contain the vendor's name. */
  readonly identifiers: {
    readonly request: ReadonlyArray<FieldPosition>
    readonly response: ReadonlyArray<FieldPosition>
  }
}

/** Facts of the API document about an operation, as far as a client or a fake needs them; `Parameters` has the rest. */
export interface OperationFacts {
  /** HTTP method; a `GET` changes nothing. */
  readonly method: Method
  /** Path below the base URL; `:name` stands for a path parameter. */
  readonly path: `/v1/${string}`
  /** Documented status of a successful response; a client accepts any 2xx. */
  readonly status: 200 | 201
}

/** The name of an operation of this library, or of one that a program declares. */
export type AnyOperationName = OperationName | (string & {})

/** An HTTP method of an operation. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE"

/**
 * The facts of every operation, by its name.
 *
 * @example
 * ```ts
 * import { operations } from "@signalbox/core/Operations"
 *
 * const { method, path } = operations["events.list"]
 * `${method} ${path}` // => "GET /v1/notifications"
 * ```
 */
export const operations = {
  "credentials.upsert": {
    method: "PATCH",
    path: "/v1/subscribers/:subscriberId/credentials",
    status: 200
  },
  "messages.markAs": {
    method: "POST",
    path: "/v1/subscribers/:subscriberId/messages/mark-as",
    status: 201
  },
  "events.list": {
    method: "GET",
    path: "/v1/notifications",
    status: 200
  }
} as const satisfies Readonly<Record<OperationName, OperationFacts>>

/** Whether a name is that of an operation of this library. */
export const isOperationName = (name: AnyOperationName): name is OperationName => Object.hasOwn(operations, name)

/**
 * Whether an operation of this library changes nothing.
 *
 * @example
 * ```ts
 * import { isRead } from "@signalbox/core/Operations"
 *
 * isRead("events.list") // => true
 * isRead("messages.markAs") // => false
 * ```
 */
export const isRead = (operation: AnyOperationName): boolean =>
  isOperationName(operation) && operations[operation].method === "GET"
