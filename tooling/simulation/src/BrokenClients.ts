/**
 * Clients that are broken on purpose, each in one way. The simulation must catch every one of them.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Struct from "effect/Struct"
import * as Headers from "effect/http/Headers"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { type Attempt, isSignalboxError, type Reason, type SignalboxError } from "@signalbox/core/Errors"
import { CallObserver } from "@signalbox/core/CallInfo"
import { Calls } from "@signalbox/core/Calls"
import { defineOperation, type RequestParts } from "@signalbox/core/DeclaredOperation"
import { CallMetrics } from "@signalbox/core/CallMetrics"
import { Credentials } from "@signalbox/core/Credentials"
import { Drift, silent } from "@signalbox/core/Drift"
import type { EventPage } from "@signalbox/core/Records"
import { Events } from "@signalbox/core/Events"
import { fixed, serviceHonoursKeys, IdempotencyPolicy } from "@signalbox/core/IdempotencyPolicy"
import type { AnyOperationName } from "@signalbox/core/Operations"
import { Messages } from "@signalbox/core/Messages"
import { ResponsePolicy, Throttling } from "@signalbox/core/Policies"
import { RetryPolicy } from "@signalbox/core/RetryPolicy"
import { none, Timeouts } from "@signalbox/core/Timeouts"
import { type ClientUnderTest, shipped } from "./ClientUnderTest.ts"
import { type BrokenClient, caughtBy } from "./Family.ts"
import { changedClock, CurrentWatch } from "./Watch.ts"

type Aspect = <A, E, R>(call: Effect.Effect<A, E, R>, operation: AnyOperationName) => Effect.Effect<A, E, R>

type Options = Parameters<ClientUnderTest>[0]

/** The client that ships, with a change to every call. */
const withCalls =
  (makeAspect: (options: Options) => Aspect): ClientUnderTest =>
  (options, fetch) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const aspect = makeAspect(options)
        const credentials = yield* Credentials
        const messages = yield* Messages
        const events = yield* Events
        const calls = yield* Calls
        return Context.make(
          Credentials,
          Credentials.of({ upsert: (...input) => aspect(credentials.upsert(...input), "credentials.upsert") })
        ).pipe(
          Context.add(
            Messages,
            Messages.of({ ...messages, markAs: (...input) => aspect(messages.markAs(...input), "messages.markAs") })
          ),
          Context.add(
            Events,
            Events.of({ ...events, list: (...input) => aspect(events.list(...input), "events.list") })
          ),
          Context.add(
            Calls,
            Calls.of({
              ...calls,
              call: (operation, ...input) => aspect(calls.call(operation, ...input), operation.name)
            })
          )
        )
      })
    ).pipe(Layer.provide(shipped(options, fetch)))

/** The client that ships, whose calls see another policy, clock or observer. */
const updating = <Service>(service: Context.Reference<Service>, change: (value: Service) => Service) =>
  withCalls(() => (call) => Effect.updateService(call, service, change))

/** The client that ships, with a change to its transport. */
const withTransport =
  (aspect: (client: HttpClient.HttpClient) => HttpClient.HttpClient): ClientUnderTest =>
  (options, fetch) =>
    shipped(options, fetch).pipe(
      Layer.provide(Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, aspect)))
    )

/** Returns the first value of each operation to every later call of it. */
const returnFirstValue = (): Aspect => {
  const memory = new Map<string, unknown>()
  return (call, operation) =>
    Effect.map(call, (value) => {
      if (!memory.has(operation)) memory.set(operation, value)
      // A call of the same operation stored it.
      return memory.get(operation) as typeof value
    })
}

const newKeyForEveryAttempt = (client: HttpClient.HttpClient): HttpClient.HttpClient => {
  let sent = 0
  return HttpClient.mapRequest(client, (request) =>
    request.headers["idempotency-key"] === undefined
      ? request
      : HttpClientRequest.setHeader(request, "idempotency-key", `attempt ${++sent}`)
  )
}

const refused = Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } })

type Exchange = ReturnType<HttpClient.HttpClient["execute"]>

/** A transport with changed exchanges. */
const exchanging =
  (aspect: (exchange: Exchange, request: HttpClientRequest.HttpClientRequest) => Exchange) =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient =>
    HttpClient.transform(client, aspect)

const reportEveryFailureAsRefused = exchanging((exchange, request) =>
  Effect.mapError(
    exchange,
    () =>
      new HttpClientError.HttpClientError({
        reason: new HttpClientError.TransportError({ request, cause: refused })
      })
  )
)

const sendTwice = exchanging((exchange) => Effect.andThen(Effect.ignore(exchange), exchange))

const leakTimer = exchanging((exchange) => Effect.andThen(Effect.forkDetach(Effect.sleep("1 day")), exchange))

/** A client whose calls know nothing of each other, like those of clients before the queue of each entry. */
const withSeparateCalls: ClientUnderTest = (options, fetch) =>
  Layer.merge(
    shipped(options, fetch),
    Layer.effect(
      Credentials,
      Effect.map(Effect.context<HttpClient.HttpClient>(), (context) =>
        Credentials.of({
          upsert: (...input) =>
            Credentials.use(({ upsert }) => upsert(...input)).pipe(
              Effect.provide(Layer.orDie(shipped(options, fetch)), { local: true }),
              Effect.provideContext(context)
            )
        })
      )
    )
  )

/** Clients that lose what they write at the same time. */
export const brokenWriters: Readonly<Record<string, BrokenClient>> = {
  "sends upserts of one entry at the same time": { client: withSeparateCalls, finding: /lost-update/ }
}

/** A client that takes every declared write for one that may be applied twice. */
const withIdempotentDeclarations: ClientUnderTest = (options, fetch) =>
  Layer.merge(
    shipped(options, fetch),
    Layer.effect(
      Calls,
      Effect.map(Calls, (calls) =>
        Calls.of({
          ...calls,
          call: ({ output }, ...input) =>
            // The only operation that the programs declare.
            calls.call(
              defineOperation({
                name: "topics.addMember",
                method: "POST",
                path: "/v1/topics/:topicKey/members",
                output,
                idempotent: true
              }),
              // Its input.
              input[0] as RequestParts<"/v1/topics/:topicKey/members">
            )
        })
      )
    ).pipe(Layer.provide(shipped(options, fetch)))
  )

/** Clients that retry a declared append. */
export const brokenDeclarations: Readonly<Record<string, BrokenClient>> = {
  "takes every declared write for idempotent": caughtBy(
    /although it may have been appended/,
    withIdempotentDeclarations
  )
}

/** Rewrites the query of every request. */
const rewritingQuery =
  (rewrite: (query: URLSearchParams) => void) =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient =>
    HttpClient.mapRequest(client, (request) => {
      const url = new URL(request.url)
      rewrite(url.searchParams)
      return HttpClientRequest.setUrl(request, url)
    })

/** Rewrites the body of every request that has one. */
const rewritingBody =
  (rewrite: (body: string) => string) =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient =>
    HttpClient.mapRequest(client, (request) =>
      request.body._tag === "Uint8Array"
        ? HttpClientRequest.setBody(
            request,
            HttpBody.text(rewrite(new TextDecoder().decode(request.body.body)), request.body.contentType)
          )
        : request
    )

/** Removes the first attempt from every error. */
const dropFirstAttempt: Aspect = (call) =>
  Effect.mapError(call, (error) =>
    isSignalboxError(error) ? Object.defineProperty(error, "attempts", { value: error.attempts.slice(1) }) : error
  )

/** Errors with the body of the last rejection. */
const showRejection: Aspect = (call) =>
  Effect.flatMap(CurrentWatch, (watch) =>
    Effect.mapError(call, (error) => {
      const rejection = watch?.responses.findLast(({ status }) => status >= 400)?.text ?? ""
      return isSignalboxError(error)
        ? Object.defineProperty(error, "message", { value: `${error.message} ${rejection}` })
        : error
    })
  )

/** Errors with one property changed. */
const withErrorFact =
  (name: keyof SignalboxError, change: (error: SignalboxError, options: Options) => unknown) =>
  (options: Options): Aspect =>
  (call) =>
    Effect.mapError(call, (error) =>
      isSignalboxError(error) ? Object.defineProperty(error, name, { value: change(error, options) }) : error
    )

/** Errors whose reason has one property changed. */
const withReasonFact =
  (name: string, change: (reason: Reason) => unknown): (() => Aspect) =>
  () =>
  (call) =>
    Effect.mapError(call, (error) => {
      if (isSignalboxError(error) && "reason" in error && name in error.reason) {
        Object.defineProperty(error.reason, name, { value: change(error.reason) })
      }
      return error
    })

/** Calls whose observer receives changed attempts, and whose errors have the same attempts. */
const withAttempts =
  (change: (attempt: Attempt) => Attempt): (() => Aspect) =>
  () =>
  (call) =>
    call.pipe(
      Effect.updateService(CallObserver, (observer) => ({
        ...observer,
        onAttempt: (attempt, ...facts) => observer?.onAttempt?.(change(attempt), ...facts),
        onCall: (info) => observer?.onCall?.({ ...info, attempts: info.attempts.map(change) })
      })),
      Effect.mapError((error) =>
        isSignalboxError(error) && "attempts" in error
          ? Object.defineProperty(error, "attempts", { value: error.attempts.map(change) })
          : error
      )
    )

/** Listings with changed records. */
const withRecords =
  (change: (records: EventPage["data"]) => EventPage["data"]): (() => Aspect) =>
  () =>
  (call, operation) =>
    operation === "events.list"
      ? Effect.map(call, (value) => {
          const page = value as EventPage // the value of this operation
          return { ...page, data: change(page.data) } as typeof value
        })
      : call

/** A source of random numbers that draws these shares. */
const drawing = (draw: () => number): (typeof Random.Random)["Service"] => ({
  nextDoubleUnsafe: draw,
  nextIntUnsafe: () => 0
})

/** Clients with broken calls, by their defect. */
export const brokenCallers = {
  "retries device tokens after an unknown delivery": caughtBy(
    /effect-twice/u,
    updating(IdempotencyPolicy, serviceHonoursKeys)
  ),
  "makes a new key for every attempt": caughtBy(/new-key-on-retry/u, withTransport(newKeyForEveryAttempt)),
  "reports every failed connection as refused": caughtBy(/false-failure/u, withTransport(reportEveryFailureAsRefused)),
  // A swallowed failure has no value of the right type.
  "swallows failures": caughtBy(
    /false-success/u,
    withCalls(() => Effect.orElseSucceed(() => undefined as never))
  ),
  "returns values from memory": caughtBy(/wrong-record/u, withCalls(returnFirstValue)),
  "sends different device tokens": caughtBy(
    /lost-after-ack|wrong-request/u,
    withTransport(rewritingBody((body) => body.replaceAll("-phone", "-telephone")))
  ),
  "marks messages in a different way": caughtBy(
    /wrong-request/u,
    withTransport(rewritingBody((body) => body.replaceAll('"markAs":"unread"', '"markAs":"read"')))
  ),
  "ignores the vendor": caughtBy(/wrong-request/u, (options, fetch) =>
    shipped({ ...options, vendor: "service" }, fetch)
  ),
  "loses attempts": caughtBy(
    /wrong-fact: .*\(attempts\)/u,
    withCalls(() => dropFirstAttempt)
  ),
  "continues after an abort": caughtBy(
    /continued-after-abort/u,
    withCalls(() => Effect.onInterrupt(() => Effect.sleep("5 seconds")))
  ),
  "uses one key for all calls": caughtBy(
    /shared-key/u,
    updating(IdempotencyPolicy, () => fixed("the key"))
  ),
  "ignores Retry-After": caughtBy(
    /the service requested/u,
    updating(RetryPolicy, (policy) => ({ ...policy, honourRetryAfter: false }))
  ),
  "retries too often": caughtBy(
    /the policy allows \d+$/u,
    updating(RetryPolicy, (policy) => ({ ...policy, maxRetries: 9 }))
  ),
  "ignores its deadline": caughtBy(
    /after its deadline/u,
    updating(Timeouts, () => none)
  ),
  "sends every request twice": caughtBy(/wrong-fact: .*\(attempts\)/u, withTransport(sendTwice)),
  "leaves timers running": caughtBy(/left-timer/u, withTransport(leakTimer)),
  "never retries": caughtBy(
    /stopped after 1 attempts although its policy allows another one/u,
    updating(RetryPolicy, (policy) => ({ ...policy, maxRetries: 0 }))
  ),
  // Short enough that half of a check's deadline is left.
  "never retries timeouts": caughtBy(
    /although its policy allows another one/u,
    updating(Timeouts, () => ({ attemptMs: 10_000, callMs: 10_000 }))
  ),
  "retries without backoff": caughtBy(
    /drew no long delay/u,
    updating(RetryPolicy, (policy) => ({ ...policy, baseDelayMs: 0 }))
  ),
  "waits equally long before every retry": caughtBy(
    /never waits longer before a second retry/u,
    updating(RetryPolicy, (policy) => ({ ...policy, maxDelayMs: policy.baseDelayMs }))
  ),
  "retries without jitter": caughtBy(
    /drew no short delay/u,
    withCalls(() =>
      Effect.provideService(
        Random.Random,
        drawing(() => 1)
      )
    )
  ),
  "retries after half of the delay": caughtBy(
    /drew no long delay/u,
    updating(Random.Random, (random) => drawing(() => random.nextDoubleUnsafe() / 2))
  ),
  "ignores its retry quota": caughtBy(
    /the quota of its client is used up/u,
    updating(RetryPolicy, (policy) => ({ ...policy, quota: { ...policy.quota, capacity: Infinity } }))
  ),
  "ignores RateLimit-Remaining: 0": caughtBy(
    /before the reset of the exhausted rate limit/u,
    updating(Throttling, () => "off" as const)
  ),
  "always reports that a change may have been applied": caughtBy(
    /wrong-fact: .*\(mayHaveBeenApplied\)/u,
    withCalls(withErrorFact("mayHaveBeenApplied", () => true))
  ),
  "never reports that a change may have been applied": caughtBy(
    /false-failure/u,
    withCalls(withErrorFact("mayHaveBeenApplied", () => false))
  ),
  "reports a wrong idempotency key": caughtBy(
    /wrong-fact: .*\(idempotencyKey\)/u,
    withCalls(withErrorFact("idempotencyKey", () => "another key"))
  ),
  "reports a wrong status": caughtBy(/wrong-fact: .*\(status\)/u, withCalls(withErrorFact("status", () => 418))),
  "reports a wrong request id": caughtBy(
    /wrong-fact: .*\(requestId\)/u,
    withCalls(withErrorFact("requestId", () => "another id"))
  ),
  "loses the status of responses that break off": caughtBy(
    /a wrong number, status, start/u,
    withCalls(
      withAttempts((attempt) => (attempt.outcome === "MalformedResponse" ? Struct.omit(attempt, ["status"]) : attempt))
    )
  ),
  "loses request ids": caughtBy(
    /wrong-fact: .*\(attempts\.status\)/u,
    withCalls(withAttempts((attempt) => Struct.omit(attempt, ["requestId"])))
  ),
  "shows a secret in its errors": caughtBy(
    /leaked-secret/u,
    withCalls(withErrorFact("message", ({ message }, { apiKey }) => `${message} (${String(apiKey)})`))
  ),
  "shows what a rejection repeats": caughtBy(
    /leaked-secret/u,
    withCalls(() => showRejection)
  ),
  "leaves slashes in ids": caughtBy(
    /wrong-request/u,
    withTransport(
      HttpClient.mapRequest((request) => HttpClientRequest.setUrl(request, request.url.replace("%2F", "/")))
    )
  ),
  "drops a record of a listing": caughtBy(/silent-loss/u, withCalls(withRecords((records) => records.slice(1)))),
  "rewrites a value of a listing": caughtBy(
    /wrong-record/u,
    withCalls(withRecords((records) => records.map((record) => ({ ...record, transactionId: "another" }))))
  ),
  "ignores a filter": caughtBy(
    /wrong-request/u,
    withTransport(rewritingQuery((query) => query.delete("subscriberIds")))
  ),
  "reads tolerantly where it must read strictly": caughtBy(
    /succeeded with drift although it reads strictly/u,
    updating(ResponsePolicy, () => "tolerant" as const)
  ),
  "hides drift": caughtBy(
    /reported 0 drift entries/u,
    updating(Drift, () => silent)
  ),
  "forgets that an unreadable response was accepted": caughtBy(
    /false-rejection/u,
    withCalls(withReasonFact("accepted", () => false))
  ),
  "reports refused connections as unknown": caughtBy(
    /wrong-fact: .*\(delivery\)/u,
    withCalls(withReasonFact("delivery", () => "unknown"))
  ),
  "reports wrong durations": caughtBy(
    /wrong-fact: .*\(attempts\.durationMs\)/u,
    withCalls(withAttempts((attempt) => ({ ...attempt, durationMs: attempt.durationMs + 1 })))
  ),
  "records no metrics": caughtBy(
    /recorded the metrics \[\]/u,
    updating(CallMetrics, () => undefined)
  ),
  "makes no span": caughtBy(
    /has 0 spans for one call/u,
    withCalls(() => Effect.withTracerEnabled(false))
  )
} as const satisfies Readonly<Record<string, BrokenClient>>

/** A client whose successes add to its quota also where nothing was taken from it. */
const withGrowingQuota = (): Aspect => {
  let successes = 0
  return (call) =>
    call.pipe(
      Effect.tap(() => Effect.sync(() => successes++)),
      Effect.updateService(RetryPolicy, (policy) => ({
        ...policy,
        quota: { ...policy.quota, capacity: policy.quota.capacity + successes }
      }))
    )
}

/** Clients with a broken retry quota, by their defect. */
export const brokenQuotas: Readonly<Record<string, BrokenClient>> = {
  "saves up retries without limit": caughtBy(/the quota of its client is used up/u, withCalls(withGrowingQuota))
}

const withoutCategory = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.transformResponse(
    client,
    Effect.map((response) =>
      Object.defineProperty(response, "headers", { value: Headers.remove(response.headers, "ratelimit-policy") })
    )
  )

/** Clients that share a rate limit between operations that the service counts apart, by their defect. */
export const brokenGates: Readonly<Record<string, BrokenClient>> = {
  "stops all operations for the limit of one": caughtBy(
    /although only other operations are limited/u,
    withTransport(withoutCategory)
  )
}

/** Clients with a broken sense of time, by their defect. */
export const brokenClocks: Readonly<Record<string, BrokenClient>> = {
  "measures with the wall clock": caughtBy(
    /behaves differently because the wall clock was set/u,
    updating(Clock.Clock, (clock) =>
      changedClock(clock, { monotonicTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe() })
    )
  )
}
