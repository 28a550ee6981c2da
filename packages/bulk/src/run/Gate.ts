/**
 * A limit that the calls of several runs share.
 */
import type { CallObserver } from "@signalbox/core/CallInfo"
import type * as Effect from "effect/Effect"

/** A limit that every call passes. */
export interface Gate {
  /** Makes a call when the limit allows it. */
  readonly through: <A>(call: Effect.Effect<A>) => Effect.Effect<A>
  /** Observes each attempt of a call. */
  readonly onAttempt: NonNullable<CallObserver["onAttempt"]>
}

/** No limit. */
export const open: Gate = { through: (call) => call, onAttempt: () => {} }
