import type { DeclaredOperation } from "@signalbox/core/DeclaredOperation"
import { type AnyOperationName, isOperationName, type OperationName, operationNames } from "@signalbox/core/Operations"
import * as Schema from "effect/Schema"

/** The names of all operations that tests declared, by which faults and expectations may name them. @internal */
export const routeNames = new Set<string>()

/** The schema of the name of an operation: one of the service, or one that a test declared. @internal */
export const OperationNameSchema = Schema.String.check(
  Schema.makeFilter((name) => isOperationName(name) || routeNames.has(name), {
    expected: `one of ${operationNames.join(", ")}`
  })
).annotate({ expected: `one of ${operationNames.join(", ")}` })

/** An operation as a test refers to it: the name of one of the service, or a declaration, so that no name can be misspelt. */
export type OperationReference = OperationName | DeclaredOperation

/** The fields of an input with the name of its operation, as JSON has it. @internal */
export const withOperationName = <Fields extends { readonly operation?: OperationReference | undefined }>({
  operation,
  ...fields
}: Fields): Omit<Fields, "operation"> & { readonly operation?: AnyOperationName } =>
  operation === undefined ? fields : { ...fields, operation: nameOf(operation) }

/** The name of an operation. @internal */
export const nameOf = (operation: OperationReference): AnyOperationName =>
  typeof operation === "object" ? operation.name : operation
