import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as Fiber from "effect/Fiber"
import type { CallSpan } from "./CallSpan.ts"
import type { Attempt } from "../errors/Attempt.ts"
import { CallObserver } from "./CallInfo.ts"
import { CallState, type CallStateShape } from "./CallState.ts"
import type { AnyOperationName } from "../contract/Operations.ts"
import { MaxConcurrency, Throttling } from "../policies/Policies.ts"
import type { FieldIssue } from "../errors/Reason.ts"
import * as IdempotencyPolicy from "../policies/IdempotencyPolicy.ts"
import type { Rule } from "../policies/Rules.ts"
import * as RetryPolicy from "../policies/RetryPolicy.ts"
import * as Timeouts from "../policies/Timeouts.ts"
import { Connection } from "../transport/Connection.ts"
import { Transport } from "../transport/Transport.ts"
import type { BuiltRequest } from "./BuildRequest.ts"
import { CallClock } from "./CallClock.ts"

/** The state of one call while it runs, from which its error and its info are made. */
export interface CallRecord {
  readonly operation: AnyOperationName
  readonly policies: Context.Context<never>
  readonly span: CallSpan | undefined
  readonly clock: CallClock
  readonly retry: RetryPolicy.RetryPolicy
  readonly timeouts: Timeouts.Timeouts
  readonly maxConcurrency: number
  readonly throttling: Throttling
  readonly observer: CallObserver | undefined
  /** Milliseconds of a monotonic clock: durations and the deadline do not change when the wall clock is set. */
  readonly monotonicMs: () => number
  /** When the call started, in monotonic milliseconds. */
  readonly started: number
  /** When the call must be finished, in monotonic milliseconds; moves by the waits of background work. */
  deadline: number
  /** When its current step has ended at the latest, in monotonic milliseconds. */
  lapsesAt: number
  /** Ends its wait for a turn. */
  wake: () => void
  readonly attempts: Array<Attempt>
  /** Retries that count against the policy: not those for which the service announced a wait. */
  retries: number
  /** Whether the rate limit holds back the next attempt, not a delay of the call. */
  isHeld: boolean
  /** Whether the next attempt costs time only: the service announced the wait, or serves other calls. */
  isRetryFree: boolean
  /** Whether the last response requested a retry; `undefined` where it did not say. */
  requestedRetry: boolean | undefined
  /** The request, once it is made. */
  prepared: BuiltRequest | undefined
  /** Whether an attempt that was retried may have arrived. */
  mayHaveArrived: boolean
  /** Whether the service may have applied the call so far, as the observer was notified. */
  inDoubt: boolean
}

/** Starts a step of a call that only its deadline ends; in background work, the deadline moves meanwhile. */
export const prolong = (record: CallRecord): void => {
  record.lapsesAt = record.throttling === "background" ? Infinity : record.deadline
}

/** Starts the record of a call. */
export const startRecord = (
  operation: AnyOperationName,
  fiber: Fiber.Fiber<unknown, unknown>,
  policies: Context.Context<never>,
  span: CallSpan | undefined,
  state: CallStateShape
): CallRecord => {
  const clock = fiber.getRef(CallClock)
  // Relative to the first call: nanoseconds since the start of a machine do not fit a number exactly.
  state.origin ??= clock.monotonicTimeNanosUnsafe()
  const { origin } = state
  const monotonicMs = () => Number(clock.monotonicTimeNanosUnsafe() - origin) / 1e6
  const started = monotonicMs()
  const timeouts = Context.get(policies, Timeouts.Timeouts)
  return {
    operation,
    policies,
    span,
    clock,
    retry: Context.get(policies, RetryPolicy.RetryPolicy),
    timeouts,
    // A limit below 1, or none, would wait for the whole deadline.
    maxConcurrency: Math.max(1, Context.get(policies, MaxConcurrency) || 1),
    throttling: Context.get(policies, Throttling),
    observer: Context.get(policies, CallObserver),
    monotonicMs,
    started,
    deadline: started + timeouts.callMs,
    lapsesAt: Infinity,
    wake: () => {},
    attempts: [],
    retries: 0,
    isHeld: false,
    isRetryFree: false,
    requestedRetry: undefined,
    prepared: undefined,
    mayHaveArrived: false,
    inDoubt: false
  }
}

/** The rule that a policy was found to keep; most calls share their policies. */
const kept = /* @__PURE__ */ new WeakMap<object, Rule>()

const issueOf = (isPolicy: Rule, policy: object, name: string): FieldIssue | undefined => {
  if (kept.get(policy) === isPolicy) return undefined
  const issue = isPolicy(policy, name)
  if (issue === undefined) kept.set(policy, isPolicy)
  return issue
}

/** The first rule that a policy of the call breaks, which callers without types or with another version can provide. */
export const policyIssue = ({ policies, retry, timeouts }: CallRecord): FieldIssue | undefined =>
  issueOf(RetryPolicy.isPolicy, retry, "RetryPolicy") ??
  issueOf(Timeouts.isPolicy, timeouts, "Timeouts") ??
  issueOf(IdempotencyPolicy.isPolicy, Context.get(policies, IdempotencyPolicy.IdempotencyPolicy), "IdempotencyPolicy")

/** The policies of a call. */
export type PoliciesOf = (atCall: Context.Context<never>) => Context.Context<never>

/** Removes what a service is built from, which is no policy. */
const policiesIn = /* @__PURE__ */ Context.omit(Transport, Connection, CallState)

/** Captures the policies in effect when a service is built; policies provided to a call have precedence. */
export const capturePolicies: Effect.Effect<PoliciesOf> = Effect.contextWith((given: Context.Context<never>) => {
  // Without any, the context of a call is used unchanged: copying it would be a tenth of what a call allocates.
  const captured = policiesIn(given)
  // Most calls of a program have one context.
  let last: { readonly atCall: Context.Context<never>; readonly policies: Context.Context<never> } | undefined
  return Effect.succeed((atCall) => {
    if (last?.atCall !== atCall) last = { atCall, policies: Context.merge(captured, atCall) }
    return last.policies
  })
})
