import * as Core from "@signalbox/core/Errors"
import type { SignalboxError } from "./ErrorData.ts"
import type { Stopped } from "./internal/Progress.ts"

/**
 * The `reason` of any error of a call.
 *
 * @example
 * ```ts
 * import type { AnyReason } from "@signalbox/sdk"
 *
 * const statusOf = (reason: AnyReason): number => ("status" in reason ? (reason.status ?? 502) : 503)
 * ```
 */
export type AnyReason = Core.Reason | Stopped

/**
 * Whether a value is an error of a call; also of another copy of this package in the same program.
 *
 * @example
 * ```ts
 * import { isSignalboxError } from "@signalbox/sdk"
 *
 * isSignalboxError(new Error("no")) // => false
 * ```
 */
export const isSignalboxError = (value: unknown): value is SignalboxError => Core.isSignalboxError(value)
