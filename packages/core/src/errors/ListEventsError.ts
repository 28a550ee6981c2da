/**
 * The error of `Events.list`.
 *
 * **When to use**: in the error channel of `Events.list`, `pages` and `stream`; `ErrorCodecs` reads one from JSON.
 *
 * @since 0.1.0
 */
import { type ErrorFacts, OperationError } from "./OperationError.ts"
import type { CommonReason } from "./Reason.ts"

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
export class ListEventsError
  extends /* @__PURE__ */ OperationError("ListEventsError")<
    ErrorFacts<CommonReason> & {
      /** Always `events.list`. */
      readonly operation: "events.list"
    }
  > {}
