/**
 * Policies that are one value: how responses are read, how many requests run at once, where warnings go.
 *
 * **When to use**: to change how calls behave, for one call with `Effect.provideService`, or for everything that a layer is
 * provided to with `Layer.succeed`. `RetryPolicy`, `IdempotencyPolicy`, `Timeouts` and `Drift` are separate entry points.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Tracer from "effect/Tracer"

/**
 * How a successful response is read; `tolerant` by default.
 *
 * - `tolerant`: parts that the API document does not describe are accepted and reported as drift; a part that cannot be
 *   read is left out and reported in `unreadable`
 * - `strict`: any drift fails the call with `MalformedResponse`. For tests that compare a service, or a fake of it, with
 *   the API document; in production, one new value of an enumeration must not fail calls
 */
export type ResponsePolicy = "tolerant" | "strict"

/**
 * The policy in effect: provided to a call, or when the service was built.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Events } from "@signalbox/core/Events"
 * import { ResponsePolicy } from "@signalbox/core/Policies"
 *
 * const exact = Events.use((events) => events.list()).pipe(Effect.provideService(ResponsePolicy, "strict"))
 * ```
 */
export const ResponsePolicy = Context.Reference<ResponsePolicy>("signalbox/core/ResponsePolicy", {
  defaultValue: () => "tolerant"
})

/**
 * Whether a call waits for the rate limit of the service; `wait` by default.
 *
 * - `wait`: sends when the limit has room. A wait that the service announced counts as no retry, up to 100 in one
 *   call; if it is longer than the rest of the call's deadline, the call fails with `RateLimited` immediately
 * - `background`: the same, and waits for the limit and for other calls do not count towards the deadline. Until a limit
 *   is known, the number of concurrent requests grows from 32. For many calls that no user waits for
 * - `off`: always sends. Where another part of the system enforces the limit, or where a failure is better than a delay
 */
export type Throttling = "wait" | "background" | "off"

/**
 * The policy in effect: provided to a call, or when the service was built.
 *
 * @example
 * ```ts
 * import * as Layer from "effect/Layer"
 * import { Throttling } from "@signalbox/core/Policies"
 *
 * const inBackground = Layer.succeed(Throttling, "background")
 * ```
 */
export const Throttling = Context.Reference<Throttling>("signalbox/core/Throttling", { defaultValue: () => "wait" })

/**
 * How many requests one client has in progress at the same time, at least 1; 256 by default. More calls than that wait for their turn
 * in the order in which they arrived, within their deadlines; a call that is interrupted while it waits sends nothing.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { Events } from "@signalbox/core/Events"
 * import { MaxConcurrency } from "@signalbox/core/Policies"
 *
 * const oneByOne = Events.use((events) => events.list()).pipe(Effect.provideService(MaxConcurrency, 1))
 * ```
 */
export const MaxConcurrency = Context.Reference<number>("signalbox/core/MaxConcurrency", { defaultValue: () => 256 })

/**
 * The largest response body that a client reads, in bytes after decompression; 64 MB by default. A larger body fails the
 * call with `MalformedResponse` and closes the connection; a write keeps its `accepted`.
 */
export const MaxResponseBytes = Context.Reference<number>("signalbox/core/MaxResponseBytes", {
  defaultValue: () => 64 * 1024 * 1024
})

/** The headers that carry the trace context of a call's span. */
export type TraceHeaders = (span: Tracer.Span) => Readonly<Record<string, string>>

/**
 * The headers in effect; unset by default, because the service is usually a third party, and the headers reveal trace
 * identifiers of your system.
 *
 * @example
 * ```ts
 * import * as Layer from "effect/Layer"
 * import * as HttpTraceContext from "effect/http/HttpTraceContext"
 * import { TraceHeaders } from "@signalbox/core/Policies"
 *
 * // `b3` and `traceparent`
 * const traced = Layer.succeed(TraceHeaders, HttpTraceContext.toHeaders)
 * ```
 */
export const TraceHeaders = /* @__PURE__ */ Context.Reference<TraceHeaders | undefined>("signalbox/core/TraceHeaders", {
  defaultValue: () => undefined
})

/** Receives one line without secrets about input that works but is probably a mistake. */
export type Warnings = (line: string) => Effect.Effect<void>

/**
 * The function in effect: provided to a call, or when the service was built. A service logs its warnings by default; an
 * operation made without a service discards them.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import * as Layer from "effect/Layer"
 * import { Warnings } from "@signalbox/core/Policies"
 *
 * const lines: Array<string> = []
 * const collected = Layer.succeed(Warnings, (line) => Effect.sync(() => void lines.push(line)))
 * ```
 */
export const Warnings = Context.Reference<Warnings>("signalbox/core/Warnings", {
  // Effect's loggers would be a twentieth of the Promise client, which does not use them.
  defaultValue: () => () => Effect.void
})
