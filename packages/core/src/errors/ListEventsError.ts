/**
 * The error of `Events.list`.
 *
 * **When to use**: in the error channel of `Events.list`, `pages` and `stream`, and to read such an error from JSON.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { brand, factFields } from "./ErrorFacts.ts"
import { commonReasons } from "./Reason.ts"

/**
 * Why `Events.list` failed, with the facts of the call.
 *
 * A `switch` over `error.reason._tag` is exhaustive; `Effect.catchReason` and `Effect.unwrapReason` work on it.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Events } from "@signalbox/core/Events"
 *
 * const program = Events.use((events) => events.list({ after: "2020-01-01T00:00:00.000Z" })).pipe(
 *   Effect.catchReason("ListEventsError", "PaymentRequired", () => Events.use((events) => events.list()))
 * )
 * ```
 */
export class ListEventsError extends Schema.TaggedError<ListEventsError>()("ListEventsError", {
  ...factFields,
  /** Always `events.list`. */
  operation: Schema.Literal("events.list"),
  /** Why it failed. */
  reason: Schema.Union(commonReasons)
}) {
  /** Marks an error of an operation, also across copies of this package. */
  get [brand](): true {
    return true
  }
}
