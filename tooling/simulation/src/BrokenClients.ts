/**
 * Clients that are broken on purpose, each in one way: what the simulation must not let pass.
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
  /** The complaint that it must bring up. */
  readonly complaint: RegExp
}

type Aspect = <A, E, R>(call: Effect.Effect<A, E, R>, operation: OperationName) => Effect.Effect<A, E, R>

/** The client as it ships, with something done to every call. */
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

/** The client as it ships, over a transport to which something is done. */
const withTransport =
  (aspect: (client: HttpClient.HttpClient) => HttpClient.HttpClient): ClientUnderTest =>
  (options, fetch) =>
    shipped(options, fetch).pipe(
      Layer.provide(Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, aspect)))
    )

/** Gives every caller the first value that anybody was given for the same kind of call. */
const answerFromMemory = (): Aspect => {
  const memory = new Map<string, unknown>()
  return (call, operation) =>
    Effect.map(call, (value) => {
      if (!memory.has(operation)) memory.set(operation, value)
      // It was put there by a call of the same operation.
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

/** A transport whose exchanges go another way. */
const exchanging =
  (aspect: (exchange: Exchange, request: HttpClientRequest.HttpClientRequest) => Exchange) =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient =>
    HttpClient.transform(client, aspect)

const callEveryFailureRefused = exchanging((exchange, request) =>
  Effect.mapError(
    exchange,
    () =>
      new HttpClientError.HttpClientError({
        reason: new HttpClientError.TransportError({ request, cause: refused })
      })
  )
)

const sendTwice = exchanging((exchange) => Effect.andThen(Effect.ignore(exchange), exchange))

const leaveATimer = exchanging((exchange) => Effect.andThen(Effect.forkDetach(Effect.sleep("1 day")), exchange))

/** Rewrites the query of every request that has one. */
const asking =
  (rewrite: (query: URLSearchParams) => void) =>
  (client: HttpClient.HttpClient): HttpClient.HttpClient =>
    HttpClient.mapRequest(client, (request) => {
      const url = new URL(request.url)
      rewrite(url.searchParams)
      return HttpClientRequest.setUrl(request, url)
    })

const skipEverySecondPage = asking((query) => {
  const page = query.get("page")
  if (page !== null) query.set("page", String(2 * Number(page)))
})

const forgetTheEnd = asking((query) => query.delete("before"))

/** Rewrites the body of every request that has one. */
const writing =
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

/** Hands out errors without the attempts that were made. */
const forgetAttempts: Aspect = (call) =>
  Effect.mapError(call, (error) =>
    isSignalboxError(error) ? Object.defineProperty(error, "attempts", { value: error.attempts.slice(1) }) : error
  )

/** Clients whose calls are broken, by what is wrong with them. */
export const brokenCallers: Readonly<Record<string, BrokenClient>> = {
  "repeats device tokens after an unknown delivery": {
    client: withCalls(() => Effect.updateService(IdempotencyPolicy, serviceHonoursKeys)),
    complaint: /added its device tokens 2 times/u
  },
  "makes a new key for every attempt": {
    client: withTransport(newKeyForEveryAttempt),
    complaint: /was applied 2 times although keys are honoured/u
  },
  "says that nothing was sent whenever a connection fails": {
    client: withTransport(callEveryFailureRefused),
    complaint: /was told that nothing was done, and it was applied/u
  },
  "swallows failures": {
    // Whoever swallows a failure has no value of the right type.
    client: withCalls(() => Effect.orElseSucceed(() => undefined as never)),
    complaint: /was told that it is done, and the service did not say so/u
  },
  "answers from memory": {
    client: withCalls(answerFromMemory),
    complaint: /was given (?:another subscriber|messages that it did not mark)/u
  },
  "sends other device tokens than it was given": {
    client: withTransport(writing((body) => body.replaceAll("-phone", "-telephone"))),
    complaint: /holds tokens/u
  },
  "marks messages as something else": {
    client: withTransport(writing((body) => body.replaceAll('"markAs":"unread"', '"markAs":"read"'))),
    complaint: /message \w+ is read true and seen/u
  },
  "forgets the vendor": {
    client: (options, fetch) => shipped({ ...options, vendor: "service" }, fetch),
    complaint: /was given a subscriber without the credentials/u
  },
  "forgets attempts": {
    client: withCalls(() => forgetAttempts),
    complaint: /another attempt log than was reported/u
  },
  "goes on when its caller has given up": {
    client: withCalls(() => Effect.onInterrupt(() => Effect.sleep("5 seconds"))),
    complaint: /when it was given up/u
  },
  "uses one key for all calls": {
    client: withCalls(() => Effect.updateService(IdempotencyPolicy, () => fixed("the key"))),
    complaint: /shares its random key/u
  },
  "does not wait as long as the service asks": {
    client: withCalls(() => Effect.updateService(RetryPolicy, (policy) => ({ ...policy, honourRetryAfter: false }))),
    complaint: /where the service asked for/u
  },
  "repeats more often than it may": {
    client: withCalls(() => Effect.updateService(RetryPolicy, (policy) => ({ ...policy, maxRetries: 9 }))),
    complaint: /are allowed/u
  },
  "forgets its deadline": {
    client: withCalls(() => Effect.updateService(Timeouts, () => none)),
    complaint: /after its deadline/u
  },
  "sends every request twice": {
    client: withTransport(sendTwice),
    complaint: /attempts in its log, the service saw/u
  },
  "leaves timers running": {
    client: withTransport(leaveATimer),
    complaint: /left \d+ timers behind/u
  }
}

/** The client as it ships, with something done to its work on many messages. */
const withMarks =
  (aspect: (markManyAs: MessagesShape["markManyAs"]) => MessagesShape["markManyAs"]): ClientUnderTest =>
  (options, fetch) =>
    Layer.effect(
      Messages,
      Effect.map(Messages, (messages) => Messages.of({ ...messages, markManyAs: aspect(messages.markManyAs) }))
    ).pipe(Layer.provideMerge(shipped(options, fetch)))

/** Clients whose work on many messages is broken, by what is wrong with it. */
export const brokenMarkers: Readonly<Record<string, BrokenClient>> = {
  "forgets a message": {
    client: withMarks(
      (mark) =>
        (subscriberId, ids, ...rest) =>
          mark(subscriberId, ids.slice(1), ...rest)
    ),
    complaint: /does not tell of every message exactly once|reported something else/u
  },
  "calls everything done": {
    client: withMarks(
      (mark) => (subscriberId, ids, markAs, options) =>
        mark(subscriberId, ids, markAs, {
          ...options,
          onEnd: () => options?.onEnd?.({ done: ids, failed: [], notTried: [] })
        })
    ),
    complaint: /messages are done, and not read/u
  },
  "makes as many calls at the same time as it likes": {
    client: withMarks(
      (mark) => (subscriberId, ids, markAs, options) => mark(subscriberId, ids, markAs, { ...options, concurrency: 99 })
    ),
    complaint: /calls at the same time/u
  },
  "leaves timers running": {
    client: withTransport(leaveATimer),
    complaint: /left \d+ timers behind/u
  }
}

/** Clients whose walks over the listing are broken, by what is wrong with them. */
export const brokenWalkers: Readonly<Record<string, BrokenClient>> = {
  "skips every second page": {
    client: withTransport(skipEverySecondPage),
    complaint: /completed without record/u
  },
  "lets its pages shift": {
    client: withTransport(forgetTheEnd),
    complaint: /pinned its pages to nothing/u
  },
  "leaves timers running": {
    client: withTransport(leaveATimer),
    complaint: /left \d+ timers behind/u
  }
}
