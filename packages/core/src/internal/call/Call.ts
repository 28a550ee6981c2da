import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import type { Attempt } from "../../Attempt.ts"
import { CallObserver } from "../../CallInfo.ts"
import { CallMetrics } from "../../CallMetrics.ts"
import { CallState } from "../../CallState.ts"
import { Connection } from "../../Connection.ts"
import { Drift } from "../../Drift.ts"
import { IdempotencyPolicy } from "../../IdempotencyPolicy.ts"
import type { Operation } from "../../Operation.ts"
import {
  type CommonReason,
  type FieldComplaint,
  InvalidRequest,
  RateLimited,
  Timeout,
  type WriteReason
} from "../../Reason.ts"
import { redactTextOf } from "../../Redaction.ts"
import { RetryPolicy } from "../../RetryPolicy.ts"
import { Throttling } from "../../Throttling.ts"
import { Timeouts } from "../../Timeouts.ts"
import { TraceHeaders } from "../../TraceHeaders.ts"
import { type AnswerHeaders, Transport } from "../../Transport.ts"
import { defined } from "../Defined.ts"
import { isReplay, type Refusal } from "./Classify.ts"
import { complaintLine } from "./ErrorBody.ts"
import type { AftermathOf, ErrorFacts } from "./ErrorFacts.ts"
import { afterDoubt, exchange, type Limit } from "./Exchange.ts"
import { makeJudge, type Read } from "./Judgement.ts"
import { capturePolicies } from "./Policies.ts"
import { type CallInput, makePrepare } from "./Preparation.ts"
import * as RateLimitHeaders from "./RateLimitHeaders.ts"
import { mayHaveArrived, nextAttempt } from "./Repeat.ts"
import { addAttempt, addEnd, spanOf } from "./Telemetry.ts"

/** What differs between the calls of operations. */
export interface CallOptions<A, E extends object, R extends CommonReason | WriteReason = never> {
  readonly operation: Operation & { readonly read: Schema.Codec<A, unknown> }
  readonly makeError: (facts: ErrorFacts<CommonReason | R>) => E
  readonly aftermathOf: AftermathOf<CommonReason | R>
  /** The reason that only this operation has for an answer. */
  readonly ownReason?: (refusal: Refusal) => R | undefined
  /** Why doing the work twice would do harm, as a sentence; `undefined` when it is harmless, which it is when absent. */
  readonly harmOfTwice?: (payload: unknown) => string | undefined
  /** The secrets in a payload; none when absent. */
  readonly secretsIn?: (payload: unknown) => ReadonlyArray<string>
}

const requestIdHeaders = ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"]

const requestIdOf = (headers: AnswerHeaders | undefined): string | undefined =>
  headers && requestIdHeaders.map((name) => headers[name]).find((id) => id !== undefined)

const limitOf = (timeouts: Timeouts, remaining: number): Limit =>
  remaining <= timeouts.attempt
    ? { scope: "call", milliseconds: remaining, policy: timeouts.call }
    : { scope: "attempt", milliseconds: timeouts.attempt, policy: timeouts.attempt }

/**
 * Makes the one pipeline of an operation: checks and makes the request, sends it as often as its policies allow, and
 * tells what is known about the call to those who want to know.
 */
export const makeCall = Effect.fnUntraced(function* <A, E extends object, R extends CommonReason | WriteReason = never>(
  options: CallOptions<A, E, R>
) {
  const { aftermathOf, harmOfTwice = () => undefined, makeError, operation, ownReason, secretsIn = () => [] } = options
  const transport = yield* Transport
  const connection = yield* Connection
  const state = yield* CallState
  const policiesOf = yield* capturePolicies
  const prepare = makePrepare(operation, connection, secretsIn)
  const judge = makeJudge({ operation, ownReason, state, vendor: connection.vendor })
  const callSpan = spanOf(operation, connection.baseUrl)

  const run = Effect.fnUntraced(function* (
    fiber: Fiber.Fiber<unknown, unknown>,
    input: CallInput,
    policies: Context.Context<never>,
    span: Tracer.Span | undefined
  ): Effect.fn.Return<A, E> {
    const clock = fiber.getRef(Clock.Clock)
    const begun = clock.currentTimeMillisUnsafe()
    const retry = Context.get(policies, RetryPolicy)
    const timeouts = Context.get(policies, Timeouts)
    const observer = Context.get(policies, CallObserver)
    const deadline = begun + timeouts.call
    const attempts: Array<Attempt> = []
    let key: string | undefined
    let requestId: string | undefined
    let status: number | undefined
    let isInDoubt = false

    const end = (outcome: string, drift: number): number => {
      const durationMs = clock.currentTimeMillisUnsafe() - begun
      Context.get(policies, CallMetrics)?.record(
        { operation: operation.name, outcome, durationMs, attempts: attempts.length, drift },
        policies
      )
      if (span !== undefined) addEnd(span, outcome, status, attempts.length)
      return durationMs
    }
    const fail = (reason: CommonReason | R, note = "", cause?: unknown): Effect.Effect<never, E> => {
      end(reason._tag, 0)
      const count = attempts.length > 1 ? ` after ${attempts.length} attempts` : ""
      const aftermath = aftermathOf(reason, attempts, isInDoubt)
      const message = `${operation.name} failed${count}: ${reason.message}.${note} ${aftermath.nextStep}`
      const facts = defined({ idempotencyKey: key, requestId, status })
      const error = makeError({ message, ...aftermath, reason, attempts, ...facts })
      // Of whoever gives the key, and no part of what is logged as JSON: it can hold secrets.
      if (cause !== undefined) Object.defineProperty(error, "cause", { value: cause })
      return Effect.fail(error)
    }
    const refuse = (fields: ReadonlyArray<FieldComplaint>, cause?: unknown): Effect.Effect<never, E> =>
      fail(new InvalidRequest({ message: fields.map(complaintLine).join("; "), fields }), "", cause)
    const late = (what = "not done"): Effect.Effect<never, E> =>
      fail(new Timeout({ message: `${what} within ${timeouts.call} ms`, scope: "call", limit: timeouts.call }))
    const succeed = ({ drift, unreadable, value }: Read<A>, headers: AnswerHeaders): Effect.Effect<A> => {
      state.spentQuota = Math.max(0, state.spentQuota - retry.quota.refund)
      const durationMs = end("success", drift.length)
      observer?.onCall?.({
        operation: operation.name,
        attempts,
        // A value comes from an answer, which has a status.
        status: status ?? 0,
        headers,
        replayed: isReplay(headers),
        drift,
        unreadable,
        durationMs,
        ...defined({
          idempotencyKey: key,
          requestId,
          rateLimit: RateLimitHeaders.snapshotOf(headers, begun + durationMs)
        })
      })
      if (drift.length === 0) return Effect.succeed(value)
      // The name of an unknown field is the service's own text and can repeat a secret of the request.
      const own = secrets()
      const entries = drift.map((entry) => Object.assign({}, entry, { path: redactTextOf(entry.path, own) }))
      if (span !== undefined) {
        for (const { kind, path } of entries) span.event("drift", clock.currentTimeNanosUnsafe(), { kind, path })
      }
      const report = Context.get(policies, Drift).report({ operation: operation.name, entries })
      return Effect.as(Effect.provideContext(report, policies), value)
    }

    const apiKey = yield* Effect.result(
      // A key that is at hand needs no timer.
      Exit.isExit(connection.apiKey) || timeouts.call === Infinity
        ? Effect.asSome(connection.apiKey)
        : Effect.timeoutOption(connection.apiKey, timeouts.call)
    )
    if (Result.isFailure(apiKey))
      return yield* refuse([{ path: "apiKey", rule: apiKey.failure.rule }], apiKey.failure.cause)
    if (Option.isNone(apiKey.success)) return yield* late("no API key")
    const prepared = yield* Effect.result(
      prepare(input, { policies, now: begun, span, apiKey: Redacted.value(apiKey.success.value) })
    )
    if (Result.isFailure(prepared)) return yield* refuse(prepared.failure)
    const { payload, request, secrets } = prepared.success
    key = prepared.success.key
    const hasHonouredKey = () =>
      key !== undefined && (state.echoesKeys || Context.get(policies, IdempotencyPolicy).honoured)
    const harm = () => (hasHonouredKey() ? undefined : harmOfTwice(payload))

    let delay = 0
    let repeatOf: string | undefined
    while (true) {
      while (Context.get(policies, Throttling) === "wait") {
        const now = clock.currentTimeMillisUnsafe()
        const hold = RateLimitHeaders.holdBack(state, operation.name, now)
        if (hold === 0) break
        if (now + hold >= deadline) {
          const message = "held back: the service has said that no request is left"
          return yield* fail(new RateLimited({ message, retryAfter: hold }))
        }
        yield* Effect.sleep(hold)
        delay += hold
      }

      const startedAt = clock.currentTimeMillisUnsafe()
      const limit = limitOf(timeouts, deadline - startedAt)
      if (limit.milliseconds <= 0) return yield* late()
      if (!isInDoubt) observer?.onDoubt?.(true)
      const outcome = yield* exchange(transport, request, limit, secrets)
      const ended = clock.currentTimeMillisUnsafe()
      status = outcome.status
      requestId = requestIdOf(outcome.headers)
      const judged = outcome._tag === "Answer" ? judge(outcome, prepared.success, policies, ended) : outcome

      const attempt: Attempt = {
        number: attempts.length + 1,
        startedAt,
        durationMs: ended - startedAt,
        delayMs: delay,
        outcome: judged._tag === "Read" ? "success" : judged.reason._tag,
        ...defined({ repeatOf, status, requestId })
      }
      attempts.push(attempt)
      if (span !== undefined) addAttempt(span, attempt, clock.currentTimeNanosUnsafe())
      observer?.onAttempt?.(
        attempt,
        outcome.headers,
        outcome.headers && RateLimitHeaders.snapshotOf(outcome.headers, ended)
      )

      if (judged._tag === "Read") return yield* succeed(judged, outcome.headers ?? {})
      const reason = isInDoubt ? afterDoubt(judged.reason) : judged.reason
      const random = () => fiber.getRef(Random.Random).nextDoubleUnsafe()
      const next = nextAttempt({ reason, number: attempts.length, now: ended, deadline, retry, state, random, harm })
      if (typeof next === "string") return yield* fail(reason, next)
      isInDoubt ||= mayHaveArrived(reason)
      if (!isInDoubt) observer?.onDoubt?.(false)
      delay = next
      repeatOf = reason._tag
      if (delay > 0) yield* Effect.sleep(delay)
    }
  })

  return (input: CallInput): Effect.Effect<A, E> =>
    Effect.withFiber((fiber) => {
      const policies = policiesOf(fiber.context as Context.Context<never>)
      const tracer = Context.getOrUndefined(policies, Tracer.Tracer)
      const sendTrace = Context.get(policies, TraceHeaders) !== undefined
      // Without a tracer nobody sees the span, and making one costs as much as the rest of the pipeline.
      if (tracer === undefined && !sendTrace) return run(fiber, input, policies, undefined)
      return Effect.useSpan(callSpan.name, { kind: "client", attributes: callSpan.attributes }, (span) =>
        run(fiber, input, policies, span)
      )
    })
})
