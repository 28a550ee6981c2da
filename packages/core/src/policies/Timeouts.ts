/**
 * How long an attempt and a call may take.
 *
 * **When to use**: shorter limits where a user waits, longer limits in background work.
 */
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import { checked, duration, limit, millisecondsOf, only, type Parts, whole } from "./Rules.ts"

/** How long an attempt and a call may take, in milliseconds. */
export interface Timeouts {
  /** One HTTP exchange, including the body. */
  readonly attemptMs: number
  /** The whole call, including delays. */
  readonly callMs: number
}

// The `fetch` of Node stops connecting after 10 to 12 s, and then reports that nothing was sent.
const standard: Timeouts = { attemptMs: 15_000, callMs: 60_000 }

export {
  /** 15 seconds for an attempt, 60 seconds for a call. */
  standard as default
}

/** @internal */
export const parts: Parts<keyof Timeouts> = { attemptMs: limit, callMs: limit }

/** @internal */
export const isPolicy = /* @__PURE__ */ whole(parts)

/**
 * Makes time limits from those that differ from the default ones. Throws a `RangeError` that names the limit and its
 * rule when a limit is unknown or out of range.
 *
 * @example
 * ```ts
 * import * as Timeouts from "@signalbox/core/Timeouts"
 *
 * Timeouts.make({ attempt: "2 seconds" }) // => { attemptMs: 2000, callMs: 60000 }
 * ```
 */
export const make = (options: {
  /** One HTTP exchange, including the body; 15 seconds when absent. */
  readonly attempt?: Duration.Input | undefined
  /** The whole call, including delays; 60 seconds when absent. */
  readonly call?: Duration.Input | undefined
}): Timeouts => {
  const time = duration((milliseconds) => milliseconds > 0, "must be a duration of more than 0")
  const { attempt = standard.attemptMs, call = standard.callMs } = checked(
    options,
    only({ attempt: time, call: time }),
    "Timeouts"
  )
  return { attemptMs: millisecondsOf(attempt), callMs: millisecondsOf(call) }
}

/** No limits; interruption still ends a call immediately. */
export const none: Timeouts = { attemptMs: Infinity, callMs: Infinity }

/** The time limits in effect: provided to a call, or when the service was built, or the default. */
export const Timeouts = Context.Reference<Timeouts>("signalbox/core/Timeouts", { defaultValue: () => standard })

/** Sets the time limits for everything that this layer is provided to or merged with; throws like {@link make}. */
export const layer = (timeouts: Timeouts): Layer.Layer<never> =>
  Layer.succeed(Timeouts, checked(timeouts, isPolicy, "Timeouts"))
