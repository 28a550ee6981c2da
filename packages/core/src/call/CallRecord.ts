import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import type * as Fiber from "effect/Fiber"
import type * as Tracer from "effect/Tracer"
import type { Attempt } from "../errors/Attempt.ts"
import { CallObserver } from "./CallInfo.ts"
import type { OperationName } from "../contract/Operations.ts"
import { RetryPolicy } from "../policies/RetryPolicy.ts"
import { Timeouts } from "../policies/Timeouts.ts"
import type { Prepared } from "./Preparation.ts"

/** What is known about one call while it runs: the facts of its error and of its info. */
export interface CallRecord {
  readonly operation: OperationName
  readonly policies: Context.Context<never>
  readonly span: Tracer.Span | undefined
  readonly clock: Clock.Clock
  readonly retry: RetryPolicy
  readonly timeouts: Timeouts
  readonly observer: CallObserver | undefined
  readonly begun: number
  readonly deadline: number
  readonly attempts: Array<Attempt>
  /** The request, once it is made. */
  prepared: Prepared | undefined
  /** Whether an attempt that was repeated may have arrived. */
  isInDoubt: boolean
}

/** Begins the record of a call. */
export const beginRecord = (
  operation: OperationName,
  fiber: Fiber.Fiber<unknown, unknown>,
  policies: Context.Context<never>,
  span: Tracer.Span | undefined
): CallRecord => {
  const clock = fiber.getRef(Clock.Clock)
  const begun = clock.currentTimeMillisUnsafe()
  const timeouts = Context.get(policies, Timeouts)
  return {
    operation,
    policies,
    span,
    clock,
    retry: Context.get(policies, RetryPolicy),
    timeouts,
    observer: Context.get(policies, CallObserver),
    begun,
    deadline: begun + timeouts.callMs,
    attempts: [],
    prepared: undefined,
    isInDoubt: false
  }
}
