/**
 * Clients that are broken on purpose, each in one way. The simulation must catch every one of them.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as HttpBody from "effect/http/HttpBody"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import { Credentials } from "@signalbox/core/Credentials"
import { Events } from "@signalbox/core/Events"
import { fixed, serviceHonoursKeys, IdempotencyPolicy } from "@signalbox/core/IdempotencyPolicy"
import type { OperationName } from "@signalbox/core/Operation"
import { Messages, type MessagesShape } from "@signalbox/core/Messages"
import { RetryPolicy } from "@signalbox/core/RetryPolicy"
import { isSignalboxError } from "@signalbox/core/SignalboxError"
import { none, Timeouts } from "@signalbox/core/Timeouts"
import { type ClientUnderTest, shipped } from "./ClientUnderTest.ts"

/** A client that is broken on purpose. */
export interface BrokenClient {
  readonly client: ClientUnderTest
  /** The finding that catches it. */
  readonly finding: RegExp
}

type Aspect = <A, E, R>(call: Effect.Effect<A, E, R>, operation: OperationName) => Effect.Effect<A, E, R>

/** The client that ships, with a change to every call. */
const withCalls =
  (makeAspect: () => Aspect): ClientUnderTest =>
  (options, fetch) =>
    Layer.effectContext(
      Effect.gen(function* () {
        const aspect = makeAspect()
        const credentials = yield* Credentials
        const messages = yield* Messages
        const events = yield* Events
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
          )
        )
      })
    ).pipe(Layer.provide(shipped(options, fetch)))

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

/** Rewrites the query of every request. */
const rewritingQuery =
  (rewrite: (query: URLSearchParams) => void) =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient =>
    HttpClient.mapRequest(client, (request) => {
      const url = new URL(request.url)
      rewrite(url.searchParams)
      return HttpClientRequest.setUrl(request, url)
    })

const skipEverySecondPage = rewritingQuery((query) => {
  const page = query.get("page")
  if (page !== null) query.set("page", String(2 * Number(page)))
})

const removePinnedEnd = rewritingQuery((query) => query.delete("before"))

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

/** Clients with broken calls, by their defect. */
export const brokenCallers: Readonly<Record<string, BrokenClient>> = {
  "retries device tokens after an unknown delivery": {
    client: withCalls(() => Effect.updateService(IdempotencyPolicy, serviceHonoursKeys)),
    finding: /appended its device tokens 2 times/u
  },
  "makes a new key for every attempt": {
    client: withTransport(newKeyForEveryAttempt),
    finding: /was applied 2 times although the service honours keys/u
  },
  "reports every failed connection as refused": {
    client: withTransport(reportEveryFailureAsRefused),
    finding: /reported that nothing was applied, but the service applied it/u
  },
  "swallows failures": {
    // A swallowed failure has no value of the right type.
    client: withCalls(() => Effect.orElseSucceed(() => undefined as never)),
    finding: /succeeded although the service reported no success/u
  },
  "returns values from memory": {
    client: withCalls(returnFirstValue),
    finding: /returned (?:a different subscriber|messages that it did not mark)/u
  },
  "sends different device tokens": {
    client: withTransport(rewritingBody((body) => body.replaceAll("-phone", "-telephone"))),
    finding: /has the tokens/u
  },
  "marks messages in a different way": {
    client: withTransport(rewritingBody((body) => body.replaceAll('"markAs":"unread"', '"markAs":"read"'))),
    finding: /message \w+ has read true and seen/u
  },
  "ignores the vendor": {
    client: (options, fetch) => shipped({ ...options, vendor: "service" }, fetch),
    finding: /returned a subscriber without the credentials/u
  },
  "loses attempts": {
    client: withCalls(() => dropFirstAttempt),
    finding: /an attempt log that differs/u
  },
  "continues after an abort": {
    client: withCalls(() => Effect.onInterrupt(() => Effect.sleep("5 seconds"))),
    finding: /after its abort/u
  },
  "uses one key for all calls": {
    client: withCalls(() => Effect.updateService(IdempotencyPolicy, () => fixed("the key"))),
    finding: /shares its random key/u
  },
  "ignores Retry-After": {
    client: withCalls(() => Effect.updateService(RetryPolicy, (policy) => ({ ...policy, honourRetryAfter: false }))),
    finding: /the service requested/u
  },
  "retries too often": {
    client: withCalls(() => Effect.updateService(RetryPolicy, (policy) => ({ ...policy, maxRetries: 9 }))),
    finding: /the policy allows \d+$/u
  },
  "ignores its deadline": {
    client: withCalls(() => Effect.updateService(Timeouts, () => none)),
    finding: /after its deadline/u
  },
  "sends every request twice": {
    client: withTransport(sendTwice),
    finding: /attempts in its log, the service received/u
  },
  "leaves timers running": {
    client: withTransport(leakTimer),
    finding: /left \d+ timers running/u
  }
}

/** The client that ships, with a change to `markManyAs`. */
const withMarks =
  (aspect: (markManyAs: MessagesShape["markManyAs"]) => MessagesShape["markManyAs"]): ClientUnderTest =>
  (options, fetch) =>
    Layer.effect(
      Messages,
      Effect.map(Messages, (messages) => Messages.of({ ...messages, markManyAs: aspect(messages.markManyAs) }))
    ).pipe(Layer.provideMerge(shipped(options, fetch)))

/** Clients with a broken `markManyAs`, by their defect. */
export const brokenMarkers: Readonly<Record<string, BrokenClient>> = {
  "loses a message": {
    client: withMarks(
      (mark) =>
        (subscriberId, ids, ...rest) =>
          mark(subscriberId, ids.slice(1), ...rest)
    ),
    finding: /does not report every message exactly once|reported something different/u
  },
  "reports everything as done": {
    client: withMarks(
      (mark) => (subscriberId, ids, markAs, options) =>
        mark(subscriberId, ids, markAs, {
          ...options,
          onEnd: () => options?.onEnd?.({ done: ids, failed: [], notTried: [] })
        })
    ),
    finding: /messages are reported done but are not read/u
  },
  "ignores the concurrency limit": {
    client: withMarks(
      (mark) => (subscriberId, ids, markAs, options) => mark(subscriberId, ids, markAs, { ...options, concurrency: 99 })
    ),
    finding: /concurrent calls/u
  },
  "leaves timers running": {
    client: withTransport(leakTimer),
    finding: /left \d+ timers running/u
  }
}

/** Clients with broken walks over the listing, by their defect. */
export const brokenWalkers: Readonly<Record<string, BrokenClient>> = {
  "skips every second page": {
    client: withTransport(skipEverySecondPage),
    finding: /completed without record/u
  },
  "lets its pages shift": {
    client: withTransport(removePinnedEnd),
    finding: /pinned its pages to nothing/u
  },
  "leaves timers running": {
    client: withTransport(leakTimer),
    finding: /left \d+ timers running/u
  }
}
