import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { type CallSpan, Spans } from "./CallSpan.ts"
import type { Attempt } from "../errors/Attempt.ts"
import { CallState } from "./CallState.ts"
import {
  Connection,
  type ConnectionError,
  RequestHeaders,
  retryCountHeader,
  wrongHeader
} from "../transport/Connection.ts"
import { IdempotencyPolicy } from "../policies/IdempotencyPolicy.ts"
import type { CommonReason, InvalidRequest, Timeout, WriteReason } from "../errors/Reason.ts"
import type { Timeouts } from "../policies/Timeouts.ts"
import { type ResponseHeaders, Transport, type TransportRequest } from "../transport/Transport.ts"
import { defined } from "../errors/Defined.ts"
import { type CallRecord, capturePolicies, policyIssue, prolong, startRecord } from "./CallRecord.ts"
import { type FailureHandling, hiddenStatus, requestedRetry } from "./Classify.ts"
import { type CallFailure, late, refused } from "./CallFailure.ts"
import { errorFactsOf, succeed } from "./CallOutcome.ts"
import type { ErrorFacts } from "../errors/Errors.ts"
import { afterDoubt, exchange, type Limit, type NoResponse } from "./Exchange.ts"
import { beforeDeadline, type Turn, turnBeforeDeadline } from "./InOrder.ts"
import { followRateLimit } from "./RateGovernor.ts"
import { inTurn } from "./WaitForTurn.ts"
import { makeReadResponse, type Read, type NotRead } from "./ReadResponse.ts"
import { type BuiltRequest, makeBuildRequest } from "./BuildRequest.ts"
import type { CallableOperation } from "./CallableOperation.ts"
import { reportedLimit } from "./RateLimitHeaders.ts"
import { mayHaveArrived, nextAttempt } from "./Retry.ts"
import { addAttempt, spanOf } from "./Telemetry.ts"
import { pause } from "./CallClock.ts"

/** The services that every call needs: its transport, its connection and the state of its client. */
export type CallServices = Transport | Connection | CallState

/** Options that differ between the calls of operations. */
export interface CallOptions<Input, A, E extends object, R extends WriteReason> extends FailureHandling<R> {
  readonly operation: CallableOperation<Input, A>
  readonly makeError: (facts: ErrorFacts<CommonReason | R>) => E
}

const requestIdHeaders = ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"]

const requestIdOf = (headers: ResponseHeaders | undefined): string | undefined => {
  const name = headers && requestIdHeaders.find((header) => headers[header] !== undefined)
  // Errors have one for each attempt, and are log lines.
  return name && headers[name]?.slice(0, 255)
}

const limitOf = (timeouts: Timeouts, remaining: number): Limit =>
  remaining <= timeouts.attemptMs
    ? { scope: "call", milliseconds: remaining, policy: timeouts.callMs }
    : { scope: "attempt", milliseconds: timeouts.attemptMs, policy: timeouts.attemptMs }

const isReady = <A>(effect: Effect.Effect<A, unknown>): effect is Exit.Success<A, never> =>
  Exit.isExit(effect) && Exit.isSuccess(effect)

/** The policies and services that the caller provides for a call, read before the call's deadline. */
const provided = <A>(
  record: CallRecord,
  value: Effect.Effect<A, ConnectionError>,
  what: string
): Effect.Effect<A, CallFailure<InvalidRequest | Timeout>> =>
  // A value that is already available needs no timer.
  isReady(value)
    ? value
    : beforeDeadline(
        record,
        Effect.matchEffect(value, {
          onSuccess: Effect.succeed,
          onFailure: ({ cause, rule, setting }) => Effect.fail(refused([{ path: setting, rule }], cause))
        }),
        () => late(record.timeouts.callMs, what)
      )

/** The request of an attempt, with the number of retries where its headers count them. */
const withRetryCount = (request: TransportRequest, retries: number): TransportRequest =>
  retries === 0 || request.headers[retryCountHeader] === undefined
    ? request
    : { ...request, headers: { ...request.headers, [retryCountHeader]: String(retries) } }

/** Notifies the observer when it changes whether the service may have applied the call. A read changes nothing. */
const setDoubt = (record: CallRecord, inDoubt: boolean, isRead: boolean): void => {
  if (record.inDoubt === inDoubt) return
  record.inDoubt = inDoubt
  record.observer?.onMayBeApplied?.(inDoubt && !isRead)
}

/**
 * Makes the pipeline of an operation: checks and builds the request, sends it with the retries that its policies allow,
 * and reports the call to its observer, metrics and span.
 */
export const makeCall = Effect.fnUntraced(function* <Input, A, E extends object, R extends WriteReason = never>(
  options: CallOptions<Input, A, E, R>
) {
  const { advise, makeError, operation, ownReason } = options
  const transport = yield* Transport
  const connection = yield* Connection
  const state = yield* CallState
  const policiesOf = yield* capturePolicies
  const prepare = makeBuildRequest(operation.method, connection)
  const readResponse = makeReadResponse({ operation, ownReason, state, vendor: connection.vendor })
  const callSpan = spanOf(operation, connection.baseUrl)
  const isRead = operation.method === "GET"

  /** Makes one exchange and returns its outcome. */
  const attempt = Effect.fnUntraced(function* (
    record: CallRecord,
    prepared: BuiltRequest,
    delayMs: number,
    retryReason: string | undefined
  ): Effect.fn.Return<Read<A> | NotRead<CommonReason | R> | NoResponse, CallFailure<Timeout>> {
    const { clock, deadline, monotonicMs, timeouts } = record
    const startedAt = clock.currentTimeMillisUnsafe()
    const started = monotonicMs()
    const timeLimit = limitOf(timeouts, deadline - started)
    if (timeLimit.milliseconds <= 0) return yield* Effect.fail(late(timeouts.callMs, "not done"))
    const request = withRetryCount(prepared.request, record.attempts.length)
    record.isHeld = record.isRetryFree = false
    record.lapsesAt = started + timeLimit.milliseconds
    /** The attempt, which is also an event of the span. */
    const attemptOf = (ended: number, outcome: string, facts?: Pick<Attempt, "status" | "requestId">): Attempt => {
      const number = record.attempts.length + 1
      const durationMs = Math.round(ended - started)
      const made = { number, startedAt, durationMs, delayMs, outcome, ...defined({ retryReason }), ...facts }
      if (record.span !== undefined) addAttempt(record.span, made, clock.currentTimeNanosUnsafe())
      return made
    }
    const received = yield* Effect.onExit(
      exchange(transport, request, timeLimit, prepared.secrets, () => setDoubt(record, true, isRead)),
      (exit) => {
        if (Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause)) {
          const interrupted = attemptOf(monotonicMs(), "Interrupted")
          record.observer?.onInterrupted?.(interrupted, prepared.key)
        }
        return Effect.void
      }
    )
    prolong(record)
    const ended = monotonicMs()
    const now = clock.currentTimeMillisUnsafe()
    const { headers } = received
    const limit = headers && reportedLimit(headers, now)
    record.requestedRetry = headers && requestedRetry(headers)
    const outcome = received._tag === "Response" ? yield* readResponse(received, prepared, record, now) : received
    if (received._tag === "Response") {
      const reason = outcome._tag === "Read" ? undefined : outcome.reason
      followRateLimit(state, record, limit, reason, started, ended)
    }
    const status = received.status === hiddenStatus ? undefined : received.status
    const made = attemptOf(
      ended,
      outcome._tag === "Read" ? "success" : outcome.reason._tag,
      defined({ status, requestId: requestIdOf(headers) })
    )
    record.attempts.push(made)
    record.observer?.onAttempt?.(made, headers, limit?.snapshot, prepared.key)
    return outcome
  })

  /** Waits before the next attempt and returns the wait in milliseconds; fails when there is no next attempt. */
  const waitToRetry = (
    record: CallRecord,
    { key, unsafeToRetry }: BuiltRequest,
    reason: CommonReason | R
  ): Effect.Effect<number, CallFailure<CommonReason | R>> => {
    const hasHonouredKey = () =>
      key !== undefined && (state.replaysKeys || Context.get(record.policies, IdempotencyPolicy).serviceHonoursKeys)
    const next = nextAttempt(record, state, reason, () => (hasHonouredKey() ? undefined : unsafeToRetry))
    if (typeof next === "string") return Effect.fail({ reason, note: next })
    record.mayHaveArrived ||= mayHaveArrived(reason)
    setDoubt(record, record.mayHaveArrived, isRead)
    if (next === 0) return Effect.succeed(next)
    record.observer?.onWait?.(next)
    return Effect.as(pause(next), next)
  }

  const attemptUntilDone = Effect.fnUntraced(function* (
    record: CallRecord,
    input: Input,
    turn: Turn | undefined
  ): Effect.fn.Return<Read<A>, CallFailure<CommonReason | R>> {
    const issue = policyIssue(record)
    if (issue !== undefined) return yield* Effect.fail(refused([issue]))
    prolong(record)
    const waiting = turn?.(record)
    // Before the waits: the caller may change its input in the meantime.
    const requestWith = yield* prepare(yield* operation.check(input, connection, record), record)
    let delay = waiting === undefined ? 0 : yield* waiting
    const apiKey = yield* provided(record, connection.apiKey, "no API key")
    const headers = yield* provided(record, Context.get(record.policies, RequestHeaders), "no headers")
    const wrong = wrongHeader(headers)
    if (wrong !== undefined) return yield* Effect.fail(refused([{ path: "headers", rule: wrong }]))
    const prepared = requestWith(Redacted.value(apiKey), headers)
    record.prepared = prepared
    let retryReason: string | undefined
    while (true) {
      const queued = record.monotonicMs()
      const outcome = yield* inTurn(
        state,
        record,
        Effect.suspend(() => {
          const send = () => {
            delay += Math.round(record.monotonicMs() - queued)
            return attempt(record, prepared, delay, retryReason)
          }
          const before = record.observer?.beforeRequest
          return before === undefined
            ? send()
            : Effect.flatMap(
                turnBeforeDeadline(record, before, () => late(record.timeouts.callMs, "not done")),
                send
              )
        })
      )
      if (outcome._tag === "Read") return outcome
      retryReason = outcome.reason._tag
      delay = yield* waitToRetry(record, prepared, outcome.reason)
    }
  })

  const run = (
    fiber: Fiber.Fiber<unknown, unknown>,
    input: Input,
    turn: Turn | undefined,
    policies: Context.Context<never>,
    span: CallSpan | undefined
  ): Effect.Effect<A, E> => {
    const record = startRecord(operation.name, fiber, policies, span, state)
    return Effect.matchEffect(attemptUntilDone(record, input, turn), {
      onFailure: (failure) => {
        const stop = record.mayHaveArrived ? { ...failure, reason: afterDoubt(failure.reason) } : failure
        const error = makeError(errorFactsOf(record, stop, advise, record.prepared?.unsafeToRetry !== undefined))
        // Thrown by the caller's key function; kept out of `toJSON` because it may contain secrets.
        if (stop.cause !== undefined) Object.defineProperty(error, "cause", { value: stop.cause })
        return Effect.fail(error)
      },
      onSuccess: (read) => {
        state.spentQuota = Math.max(0, state.spentQuota - record.retry.quota.refund)
        return succeed(record, read)
      }
    })
  }

  return (input: Input, turn?: Turn): Effect.Effect<A, E> =>
    Effect.withFiber((fiber) => {
      // Only the policies of the context matter here, and its type does not list them.
      const policies = policiesOf(fiber.context as Context.Context<never>)
      const inSpan = Context.get(policies, Spans) ?? state.inSpan
      const runIn = (span: CallSpan | undefined) => run(fiber, input, turn, policies, span)
      return inSpan === undefined ? runIn(undefined) : inSpan(callSpan, policies, runIn)
    })
})
