/**
 * Metadata of a call.
 *
 * **When to use**: to read the request id, the attempts, the idempotency key or the drift of a call.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { AnyOperationName } from "../contract/Operations.ts"
import type { Attempt, ExchangeFacts } from "../errors/Attempt.ts"
import type { DriftEntry, Unreadable } from "../reading/DriftEntry.ts"
import type { ResponseHeaders } from "../transport/Transport.ts"

/** The rate limit as last reported by the service. Parts that it did not report are absent. */
export interface RateLimitSnapshot {
  /** Requests allowed in one window. */
  readonly limit?: number
  /** Requests left in the window. */
  readonly remaining?: number
  /** When the window ends, in milliseconds since 1970. */
  readonly resetAt?: number
  /** The policy, verbatim. */
  readonly policy?: string
  /** When the service reported this, in milliseconds since 1970. */
  readonly observedAt: number
}

/** The facts of a successful call besides its value. */
export interface CallInfo extends ExchangeFacts {
  /** The operation. */
  readonly operation: AnyOperationName
  /** Status of the response. */
  readonly status: number
  /** Headers of the response, names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /**
   * Whether this is the stored response to an earlier request with the same key, according to the service. That may have
   * been a request of another environment of the organization; then this one has changed nothing.
   */
  readonly replayed: boolean
  /** The rate limit as reported by the response; absent if it reports none. */
  readonly rateLimit?: RateLimitSnapshot
  /** How the response differs from the API document. */
  readonly drift: ReadonlyArray<DriftEntry>
  /** How much drift there is; `drift` has the first 100 entries. */
  readonly driftCount: number
  /** The parts of the response that could not be read and are missing from the value. */
  readonly unreadable: ReadonlyArray<Unreadable>
  /** How long the call took, its delays included, in milliseconds. */
  readonly durationMs: number
}

/** Receives events of calls while they run. Its functions must not throw. */
export interface CallObserver {
  /**
   * Runs before each request, once the client may send it, and delays it until done: for example to record durably that
   * a write may have been applied from now on.
   */
  readonly beforeRequest?: Effect.Effect<void>
  /**
   * Whether the service may have applied the call from now on; always `false` for a read. `true` when a request is handed to the transport, or when
   * a transport that reports it starts to write the request; `false` when the call waits to retry a request that was not
   * applied.
   */
  readonly onMayBeApplied?: (mayHaveArrived: boolean) => void
  /** Before the call waits to send its next request, to retry or for the rate limit: for how many milliseconds. */
  readonly onWait?: (delayMs: number) => void
  /**
   * After each attempt, including failed ones; not for one that is interrupted. `headers` is `undefined` when there was no response, `rateLimit` when the
   * headers do not state a rate limit. The key is that of all attempts of the call; absent when it has none.
   */
  readonly onAttempt?: (
    attempt: Attempt,
    headers: ResponseHeaders | undefined,
    rateLimit: RateLimitSnapshot | undefined,
    idempotencyKey?: string
  ) => void
  /** After an attempt that the interruption of its call ended; its outcome is `Interrupted`, and no error has it. */
  readonly onInterrupted?: (attempt: Attempt, idempotencyKey?: string) => void
  /** After each successful call. */
  readonly onCall?: (call: CallInfo) => void
}

/**
 * Observes calls; unset by default.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { CallObserver } from "@signalbox/core/CallInfo"
 * import { Events } from "@signalbox/core/Events"
 *
 * const lines: Array<string> = []
 * const observed = Events.use((events) => events.list()).pipe(
 *   Effect.provideService(CallObserver, {
 *     onAttempt: ({ number, outcome }) => lines.push(`attempt ${number}: ${outcome}`)
 *   })
 * )
 * ```
 */
export const CallObserver = Context.Reference<CallObserver | undefined>("signalbox/core/CallObserver", {
  defaultValue: () => undefined
})

/**
 * Runs an effect that makes one call and returns its value together with the metadata of the call. If the effect makes
 * several calls, the metadata is that of the last one.
 *
 * @example
 * ```ts
 * import * as CallInfo from "@signalbox/core/CallInfo"
 * import { Events } from "@signalbox/core/Events"
 *
 * const program = CallInfo.withInfo(Events.use((events) => events.list({ limit: 5 })))
 * // Effect<{ value: EventPage, call: CallInfo }, ListEventsError, Events>
 * ```
 */
export const withInfo = <A, E, R>(
  effect: Effect.Effect<A, E, R>
): Effect.Effect<{ readonly value: A; readonly call: CallInfo }, E, R> =>
  Effect.withFiber((fiber) => {
    const outer = fiber.getRef(CallObserver)
    let last: CallInfo | undefined
    const observer: CallObserver = {
      ...outer,
      onCall: (call) => {
        last = call
        outer?.onCall?.(call)
      }
    }
    return Effect.provideService(effect, CallObserver, observer).pipe(
      Effect.flatMap((value) =>
        last === undefined
          ? Effect.die(new Error("CallInfo.withInfo was given an effect that makes no call"))
          : Effect.succeed({ value, call: last })
      )
    )
  })
