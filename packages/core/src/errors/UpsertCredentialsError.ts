/**
 * The error of `Credentials.upsert`.
 *
 * **When to use**: in the error channel of `Credentials.upsert`; `ErrorCodecs` reads one from JSON.
 *
 * @since 0.1.0
 */
import { type ErrorFacts, OperationError } from "./OperationError.ts"
import type { Reason } from "./Reason.ts"

/**
 * Why `Credentials.upsert` failed, with the facts of the call.
 *
 * A `switch` over `error.reason._tag` is exhaustive; `Effect.catchReason` and `Effect.unwrapReason` work on it.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Credentials } from "@signalbox/core/Credentials"
 *
 * const tokens = { providerId: "fcm", credentials: { deviceTokens: ["token"] } } as const
 * const program = Credentials.use((credentials) => credentials.upsert("user-7", tokens)).pipe(
 *   Effect.tapError(({ idempotencyKey, mayHaveBeenApplied, advice }) =>
 *     mayHaveBeenApplied ? Effect.logWarning(advice, { idempotencyKey }) : Effect.void
 *   )
 * )
 * ```
 */
export class UpsertCredentialsError
  extends /* @__PURE__ */ OperationError("UpsertCredentialsError")<
    ErrorFacts<Reason> & {
      /** Always `credentials.upsert`. */
      readonly operation: "credentials.upsert"
    }
  > {}
