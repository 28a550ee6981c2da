/**
 * The errors of the operations: one class for each, with the facts of the failed call, its attempts, and the reason why it
 * failed.
 *
 * **When to use**: to handle a failure by its cause: `Effect.catchReason` takes one reason, a `switch` over
 * `error.reason._tag` covers all of them. `ErrorData` sends them to other processes.
 */
import { brand } from "./OperationError.ts"
import type { SignalboxError } from "./OperationErrors.ts"

export * from "./Attempt.ts"
export { type ErrorFacts, OperationError, type OperationErrorFacts } from "./OperationError.ts"
export * from "./OperationErrors.ts"
export * from "./PermanentFailure.ts"
export * from "./Reason.ts"
export type { Tagged, TaggedErrorClass } from "./TaggedError.ts"

/**
 * Whether a value is an error of an operation; also of another copy of this package in the same program.
 *
 * @example
 * ```ts
 * import { isSignalboxError } from "@signalbox/core/Errors"
 *
 * isSignalboxError(new Error("no")) // => false
 * ```
 */
export const isSignalboxError = (value: unknown): value is SignalboxError =>
  typeof value === "object" && value !== null && brand in value && value[brand] === true
