/**
 * Any error of an operation.
 *
 * **When to use**: where errors of several operations, and of anything else, arrive in one place.
 *
 * @since 0.1.0
 */
import { brand } from "./OperationError.ts"
import type { ListEventsError } from "./ListEventsError.ts"
import type { MarkManyMessagesAsError } from "./MarkManyMessagesAsError.ts"
import type { MarkMessagesAsError } from "./MarkMessagesAsError.ts"
import type { UpsertCredentialsError } from "./UpsertCredentialsError.ts"

/** Any error of an operation. */
export type SignalboxError = UpsertCredentialsError | MarkMessagesAsError | MarkManyMessagesAsError | ListEventsError

/**
 * Whether a value is an error of an operation; also of another copy of this package in the same program.
 *
 * @example
 * ```ts
 * import { isSignalboxError } from "@signalbox/core/SignalboxError"
 *
 * isSignalboxError(new Error("no")) // => false
 * ```
 */
export const isSignalboxError = (value: unknown): value is SignalboxError =>
  typeof value === "object" && value !== null && brand in value && value[brand] === true
