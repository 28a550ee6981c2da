/**
 * The error of `Credentials.upsert`.
 *
 * **When to use**: in the error channel of `Credentials.upsert`, and to read such an error from JSON.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { brand, factFields } from "./ErrorFacts.ts"
import { commonReasons, writeReasons } from "./Reason.ts"

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
export class UpsertCredentialsError extends Schema.TaggedError<UpsertCredentialsError>()("UpsertCredentialsError", {
  ...factFields,
  /** Always `credentials.upsert`. */
  operation: Schema.Literal("credentials.upsert"),
  /** Why it failed. */
  reason: Schema.Union([...commonReasons, ...writeReasons])
}) {
  /** Marks an error of an operation, also across copies of this package. */
  get [brand](): true {
    return true
  }
}
