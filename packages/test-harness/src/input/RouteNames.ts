import { isOperationName, operationNames } from "@signalbox/core/Operations"
import * as Schema from "effect/Schema"

/** The names of all operations that tests declared, by which faults and expectations may name them. @internal */
export const routeNames = new Set<string>()

/** The schema of the name of an operation: one of the service, or one that a test declared. @internal */
export const OperationNameSchema = Schema.String.check(
  Schema.makeFilter((name) => isOperationName(name) || routeNames.has(name), {
    expected: `one of ${operationNames.join(", ")}`
  })
).annotate({ expected: `one of ${operationNames.join(", ")}` })
