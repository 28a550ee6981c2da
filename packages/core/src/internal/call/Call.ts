import type * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import * as Random from "effect/Random"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"
import * as Tracer from "effect/Tracer"
import type { Attempt } from "../../Attempt.ts"
import { type CallInfo, CallObserver } from "../../CallInfo.ts"
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
  MalformedResponse,
  RateLimited,
  Timeout,
  type WriteReason
} from "../../Reason.ts"
import { redactTextOf } from "../../Redaction.ts"
import { ResponsePolicy } from "../../ResponsePolicy.ts"
import { RetryPolicy } from "../../RetryPolicy.ts"
import { Throttling } from "../../Throttling.ts"
import { Timeouts } from "../../Timeouts.ts"
import { TraceHeaders } from "../../TraceHeaders.ts"
import { Transport, type TransportRequest } from "../../Transport.ts"
import * as Vendor from "../../Vendor.ts"
import { makeReader, makeStrictReader } from "../reading/Reader.ts"
import { isReplay, reasonOf, type Refusal } from "./Classify.ts"
import { parseJson, readErrorBody } from "./ErrorBody.ts"
import { type ErrorFacts, nextStepOf } from "./ErrorFacts.ts"
import { type Answer, exchange, type Limit } from "./Exchange.ts"
import { keyRule, makeKey } from "./IdempotencyKey.ts"
import { type InputCheck, makeInputCheck, withoutUndefined } from "./Input.ts"
import { capturePolicies } from "./Policies.ts"
import * as RateLimitHeaders from "./RateLimitHeaders.ts"
import { isHarmlessTwice, repeatabilityOf } from "./Repeat.ts"
import { fillPath, isEncodable, queryOf } from "./RequestTarget.ts"
import { retryHint } from "./RetryHint.ts"
import { secretsOf } from "./Secrets.ts"
import { addAttempt, spanOf } from "./Telemetry.ts"

/** What a caller gives to one call. */
export interface CallInput {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: object
  readonly payload?: object
  /** Takes the place of the operation's own check of the payload. */
  readonly checkPayload?: InputCheck
}

/** What differs between the calls of operations. */
export interface CallOptions<A, E, R extends CommonReason | WriteReason = never> {
  readonly operation: Operation & { readonly read: Schema.Codec<A, unknown> }
  /** The reasons that this operation has beside the common ones. */
  readonly ownReason: (refusal: Refusal) => R | undefined
  readonly makeError: (facts: ErrorFacts<CommonReason | R>) => E
}

/** A request that was checked and can be sent any number of times. */
interface Prepared {
  readonly request: TransportRequest
  readonly payload: unknown
  readonly key: string | undefined
  readonly secrets: () => ReadonlyArray<string>
}

const requestIdHeaders = ["x-request-id", "request-id", "x-correlation-id", "x-amzn-requestid", "cf-ray"]

/**
 * Makes the one pipeline of an operation, the only place where a response becomes a value or an error.
 */
export const makeCall = Effect.fnUntraced(function* <A, E, R extends CommonReason | WriteReason = never>({
  makeError,
  operation,
  ownReason
}: CallOptions<A, E, R>) {
  const transport = yield* Transport
  const connection = yield* Connection
  const state = yield* CallState
  const policiesOf = yield* capturePolicies
  const tolerant = makeReader<A>(operation, { vendor: connection.vendor })
  const strict = makeStrictReader<A>(operation, { vendor: connection.vendor })
  const checkParams = makeInputCheck(operation.params)
  const checkQuery = makeInputCheck(operation.query)
  const checkOwnPayload = makeInputCheck(operation.payload)
  const callSpan = spanOf(operation, connection.baseUrl)
  const isWrite = operation.method !== "GET"

  const complaintsAbout = (input: CallInput, query: unknown, payload: unknown): ReadonlyArray<FieldComplaint> => {
    const unencodable = Object.entries(input.params ?? {}).filter(
      ([, value]) => typeof value === "string" && !isEncodable(value)
    )
    return [
      ...(operation.params === undefined ? [] : checkParams(input.params)),
      ...unencodable.map(([path]) => ({ path, rule: "Expected text that can be part of a URL" })),
      ...(operation.query === undefined ? [] : checkQuery(query)),
      ...(operation.payload === undefined ? [] : (input.checkPayload ?? checkOwnPayload)(payload))
    ]
  }

  function* prepare(
    input: CallInput,
    policies: Context.Context<never>,
    now: number,
    span: Tracer.Span | undefined,
    apiKey: Redacted.Redacted<string>
  ): Generator<Effect.Effect<string | undefined>, Result.Result<Prepared, ReadonlyArray<FieldComplaint>>, never> {
    const query = withoutUndefined(input.query ?? {})
    const payload = withoutUndefined(input.payload)
    const { source } = Context.get(policies, IdempotencyPolicy)
    const complaints = [...complaintsAbout(input, query, payload)]
    const wrongKey = source._tag === "fixed" ? keyRule(source.key) : undefined
    if (wrongKey !== undefined) complaints.push({ path: "idempotencyKey", rule: wrongKey })
    if (complaints.length > 0) return Result.fail(complaints)
    const target =
      fillPath(operation.path, input.params ?? {}) +
      // The check above holds the query to a record.
      queryOf(query as Readonly<Record<string, unknown>>, connection.arrayEncoding)
    const body = payload === undefined ? undefined : Vendor.requestToWire(operation.name, connection.vendor, payload)
    const key = yield makeKey(source, { method: operation.method, path: target, body }, now)
    return Result.succeed({
      payload,
      key,
      secrets: () => secretsOf(Redacted.value(apiKey), connection.headers, payload),
      request: {
        method: operation.method,
        url: connection.baseUrl + target,
        headers: {
          ...connection.headers,
          ...(span === undefined ? undefined : Context.get(policies, TraceHeaders)?.(span)),
          accept: "application/json",
          authorization: `ApiKey ${Redacted.value(apiKey)}`,
          ...(key === undefined ? undefined : { "idempotency-key": key }),
          ...(body === undefined ? undefined : { "content-type": "application/json" })
        },
        body: body === undefined ? undefined : JSON.stringify(body)
      }
    })
  }

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

    const measure = (outcome: string, drift: number) => {
      const durationMs = clock.currentTimeMillisUnsafe() - begun
      Context.get(policies, CallMetrics)?.record(
        { operation: operation.name, outcome, durationMs, attempts: attempts.length, drift },
        policies
      )
    }
    const fail = (reason: CommonReason | R, note = ""): E => {
      const count = attempts.length > 1 ? ` after ${attempts.length} attempts` : ""
      measure(reason._tag, 0)
      if (span !== undefined) {
        span.attribute("error.type", status === undefined ? reason._tag : String(status))
        span.attribute("signalbox.reason", reason._tag)
      }
      return makeError({
        message: `${operation.name} failed${count}: ${reason.message}.${note} ${nextStepOf(reason)}`,
        reason,
        attempts,
        ...(key === undefined ? {} : { idempotencyKey: key }),
        ...(requestId === undefined ? {} : { requestId }),
        ...(status === undefined ? {} : { status })
      })
    }
    const refuse = (fields: ReadonlyArray<FieldComplaint>): E => {
      const line = fields.map(({ path, rule }) => (path === "" ? rule : `${path}: ${rule}`)).join("; ")
      return fail(new InvalidRequest({ message: line, fields }))
    }

    const late = () =>
      fail(new Timeout({ message: `not done within ${timeouts.call} ms`, scope: "call", limit: timeouts.call }))
    const apiKey = yield* Effect.result(keyWithin(connection.apiKey, timeouts.call))
    if (Result.isFailure(apiKey)) {
      return yield* Effect.fail(
        apiKey.failure._tag === "TimeoutError" ? late() : refuse([{ path: "apiKey", rule: apiKey.failure.rule }])
      )
    }
    const prepared = yield* Effect.gen(() => prepare(input, policies, begun, span, apiKey.success))
    if (Result.isFailure(prepared)) return yield* Effect.fail(refuse(prepared.failure))
    const { payload, request, secrets } = prepared.success
    key = prepared.success.key

    let delay = 0
    let repeatOf: string | undefined
    while (true) {
      while (Context.get(policies, Throttling) === "wait") {
        const now = clock.currentTimeMillisUnsafe()
        const hold = RateLimitHeaders.holdBack(state, operation.name, now)
        if (hold === 0) break
        if (now + hold >= deadline) {
          const message = `held back: the service has said that no request is left for ${hold} ms`
          return yield* Effect.fail(fail(new RateLimited({ message, status: 429, retryAfter: hold })))
        }
        yield* Effect.sleep(hold)
        delay += hold
      }
      const startedAt = clock.currentTimeMillisUnsafe()
      const limit = limitOf(timeouts, deadline - startedAt)
      const outcome = limit.milliseconds <= 0 ? undefined : yield* exchange(transport, request, limit, secrets)
      if (outcome === undefined) return yield* Effect.fail(late())
      const ended = clock.currentTimeMillisUnsafe()
      status = outcome.status
      requestId = outcome._tag === "Answer" ? requestIdOf(outcome.headers) : undefined
      const judged = outcome._tag === "Answer" ? judge(outcome, key, secrets, policies, ended) : outcome
      const attempt: Attempt = {
        number: attempts.length + 1,
        startedAt,
        durationMs: ended - startedAt,
        delayMs: delay,
        ...(repeatOf === undefined ? {} : { repeatOf }),
        outcome: judged._tag === "Read" ? "success" : judged.reason._tag,
        ...(status === undefined ? {} : { status }),
        ...(requestId === undefined ? {} : { requestId })
      }
      attempts.push(attempt)
      if (span !== undefined) addAttempt(span, attempt, clock.currentTimeNanosUnsafe())
      observer?.onAttempt?.(attempt, outcome.headers)

      if (judged._tag === "Read") {
        const { drift, headers, unreadable, value } = judged
        state.spentQuota = Math.max(0, state.spentQuota - retry.quota.refund)
        measure("success", drift.length)
        if (span !== undefined) {
          span.attribute("http.response.status_code", judged.status)
          if (attempts.length > 1) span.attribute("http.request.resend_count", attempts.length - 1)
        }
        if (observer?.onCall !== undefined) {
          const rateLimit = RateLimitHeaders.snapshotOf(headers, ended)
          const info: CallInfo = {
            operation: operation.name,
            attempts,
            ...(key === undefined ? {} : { idempotencyKey: key }),
            ...(requestId === undefined ? {} : { requestId }),
            status: judged.status,
            headers,
            replayed: isReplay(headers),
            ...(rateLimit === undefined ? {} : { rateLimit }),
            drift,
            unreadable,
            durationMs: ended - begun
          }
          observer.onCall(info)
        }
        if (drift.length > 0) {
          // The name of an unknown field is the service's own text and can repeat a secret of the request.
          const own = secrets()
          const entries = drift.map((entry) => Object.assign({}, entry, { path: redactTextOf(entry.path, own) }))
          for (const { kind, path } of span === undefined ? [] : entries) {
            span?.event("drift", clock.currentTimeNanosUnsafe(), { kind, path })
          }
          yield* Effect.provideContext(
            Context.get(policies, Drift).report({ operation: operation.name, entries }),
            policies
          )
        }
        return value
      }

      const { reason } = judged
      if (span !== undefined) {
        if (status !== undefined) span.attribute("http.response.status_code", status)
        if (attempts.length > 1) span.attribute("http.request.resend_count", attempts.length - 1)
      }
      const repeatability = repeatabilityOf(reason)
      if (repeatability === "never") return yield* Effect.fail(fail(reason))
      if (repeatability === "when-harmless") {
        const hasHonouredKey =
          key !== undefined && (state.echoesKeys || Context.get(policies, IdempotencyPolicy).honoured)
        if (!isHarmlessTwice({ operation: operation.name, payload, hasHonouredKey })) {
          return yield* Effect.fail(
            fail(
              reason,
              " Not repeated: the device tokens may have been added already, and a repeat could add them twice."
            )
          )
        }
      }
      if (attempts.length > retry.maxRepeats) return yield* Effect.fail(fail(reason))
      const hint = retry.honourHints && "retryAfter" in reason ? (reason.retryAfter ?? 0) : 0
      const bound = Math.min(retry.maxDelay, retry.baseDelay * 2 ** (attempts.length - 1))
      delay = Math.max(hint, Math.round(fiber.getRef(Random.Random).nextDoubleUnsafe() * bound))
      if (ended + delay >= deadline) {
        return yield* Effect.fail(fail(reason, ` Not repeated: ${delay} ms to wait do not fit the time limit.`))
      }
      const cost = reason._tag === "RateLimited" ? retry.quota.rateLimitedCost : retry.quota.cost
      if (state.spentQuota + cost > retry.quota.capacity) {
        return yield* Effect.fail(fail(reason, " Not repeated: the retry quota of this client is used up."))
      }
      state.spentQuota += cost
      repeatOf = reason._tag
      if (delay > 0) yield* Effect.sleep(delay)
    }
  })

  /** What an answer comes to. */
  const judge = (
    answer: Answer,
    key: string | undefined,
    secrets: () => ReadonlyArray<string>,
    policies: Context.Context<never>,
    now: number
  ) => {
    const { headers, status, text } = answer
    const snapshot = RateLimitHeaders.snapshotOf(headers, now)
    if (snapshot !== undefined) RateLimitHeaders.remember(state, operation.name, snapshot)
    if (key !== undefined && headers["idempotency-key"] === key) state.echoesKeys = true
    if (status < 200 || status > 299) {
      const refusal: Refusal = {
        status,
        headers,
        said: readErrorBody(text, secrets()),
        hint: retryHint(status, headers, now),
        key
      }
      return { _tag: "Refused", reason: ownReason(refusal) ?? reasonOf(refusal) } as const
    }
    const body = parseJson(text)
    const reading =
      body === undefined ? undefined : (Context.get(policies, ResponsePolicy) === "strict" ? strict : tolerant)(body)
    if (reading !== undefined && Result.isSuccess(reading)) {
      return { _tag: "Read", status, headers, ...reading.success } as const
    }
    const own = secrets()
    const fields = reading?.failure.complaints.map(({ path, rule }) => ({ path: redactTextOf(path, own), rule })) ?? [
      { path: "", rule: text.trim() === "" ? "Expected JSON, the body is empty" : "Expected JSON" }
    ]
    const first = fields[0]
    const rule = first === undefined ? "" : `: ${first.path === "" ? first.rule : `${first.path}: ${first.rule}`}`
    const reason = new MalformedResponse({
      ...readErrorBody(text, own),
      message: `${status} with a body that cannot be read${rule}${isWrite ? "; the change was accepted" : ""}`,
      status,
      fields,
      accepted: isWrite
    })
    return { _tag: "Refused", reason } as const
  }

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

/** The key, within the time of the call; one that is at hand needs no timer. */
const keyWithin = <A, E>(apiKey: Effect.Effect<A, E>, limit: number): Effect.Effect<A, E | Cause.TimeoutError> =>
  Exit.isExit(apiKey) || limit === Infinity ? apiKey : Effect.timeout(apiKey, limit)

const limitOf = (timeouts: Timeouts, remaining: number): Limit =>
  remaining <= timeouts.attempt
    ? { scope: "call", milliseconds: remaining, policy: timeouts.call }
    : { scope: "attempt", milliseconds: timeouts.attempt, policy: timeouts.attempt }

const requestIdOf = (headers: Answer["headers"]): string | undefined => {
  for (const name of requestIdHeaders) if (headers[name] !== undefined) return headers[name]
  return undefined
}
