/**
 * Counts the open exchanges and the running timers of a call, and records the responses it receives.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { TransportRequest, TransportShape } from "@signalbox/core/Transport"
import * as HttpClient from "effect/http/HttpClient"

/** A complete response, as the transport delivered it. */
export interface ReceivedResponse {
  readonly status: number
  readonly text: string
  readonly requestId: string | undefined
}

/** The open exchanges, timers and responses of a call. */
export interface Watch {
  /** Number of the call. */
  readonly call: number
  /** Running timers. */
  timers: number
  /** Open exchanges. */
  exchanges: number
  /** Requests that were handed to the transport. */
  sent: number
  readonly responses: Array<ReceivedResponse>
  /** Whether the network delivers the first request twice. */
  readonly duplicates: boolean
  /** The clock that does not count timers. */
  readonly clock: Clock.Clock
  /** Opens when the call can make no further progress until time passes. */
  readonly waits: Latch.Latch
}

/** Makes a watch for a call that has not started. */
export const makeWatch = (call: number, clock: Clock.Clock, duplicates: boolean): Watch => ({
  call,
  clock,
  duplicates,
  timers: 0,
  exchanges: 0,
  sent: 0,
  responses: [],
  waits: Latch.makeUnsafe()
})

/** The watch of the current call. */
export const CurrentWatch = Context.Reference<Watch | undefined>("signalbox/simulation/CurrentWatch", {
  defaultValue: () => undefined
})

/** The header that names the call in the journal. */
export const callHeader = "x-simulation-call"

/** The header of a request that the network delivers a second time. */
export const duplicateHeader = "x-simulation-duplicate"

const counted = <A, E, R>(exchange: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.flatMap(CurrentWatch, (watch) => {
    if (watch === undefined) return exchange
    watch.exchanges += 1
    watch.waits.openUnsafe()
    return Effect.onExit(exchange, () =>
      Effect.sync(() => {
        watch.exchanges -= 1
      })
    )
  })

/** An HTTP client whose open exchanges are counted. */
export const watchedClient: (client: HttpClient.HttpClient) => HttpClient.HttpClient = HttpClient.transform(counted)

/** The text of a rejection with the request that it rejects: some services repeat it, secrets included. */
const echoing = (text: string, { body = "", headers }: TransportRequest): string => {
  try {
    const rejection: unknown = JSON.parse(text)
    const message: unknown = Reflect.get(Object(rejection), "message")
    if (typeof message !== "string") return text
    return JSON.stringify({ ...Object(rejection), message: `${message}: ${body} ${headers["authorization"]}` })
  } catch {
    return text
  }
}

/**
 * A transport that counts open exchanges, names the call in every request, lets rejections repeat their request, and
 * records every response.
 */
export const watchedTransport = ({ send, ...facts }: TransportShape): TransportShape => {
  /** The network's own copy of a request, which the client knows nothing of. */
  const duplicate = ({ clock }: Watch, request: TransportRequest) =>
    send({ ...request, headers: { ...request.headers, [duplicateHeader]: "1" } }).pipe(
      Effect.ignore,
      Effect.provideService(CurrentWatch, undefined),
      Effect.provideService(Clock.Clock, clock),
      Effect.forkDetach
    )
  return {
    ...facts,
    send: (request, onWrite) =>
      Effect.flatMap(CurrentWatch, (watch) => {
        if (watch === undefined) return send(request, onWrite)
        watch.sent += 1
        const named = { ...request, headers: { ...request.headers, [callHeader]: String(watch.call) } }
        const exchange = counted(send(named, onWrite))
        const delivered =
          watch.duplicates && watch.sent === 1 ? Effect.andThen(duplicate(watch, named), exchange) : exchange
        return Effect.map(delivered, (response) => {
          const { headers, status } = response
          const text = status >= 400 ? echoing(response.text, request) : response.text
          watch.responses.push({ status, text, requestId: headers["x-request-id"] })
          return { ...response, text }
        })
      })
  }
}

/** A clock with some changes; the clock of the platform has its functions in a prototype. */
export const changedClock = (clock: Clock.Clock, changes: Partial<Clock.Clock>): Clock.Clock =>
  Object.assign(Object.create(clock) as Clock.Clock, changes)

/** A clock that counts running timers. */
export const watchedClock = (clock: Clock.Clock, watch: Watch): Clock.Clock =>
  changedClock(clock, {
    sleep: (duration) =>
      Effect.suspend(() => {
        watch.timers += 1
        watch.waits.openUnsafe()
        return Effect.onExit(clock.sleep(duration), () =>
          Effect.sync(() => {
            watch.timers -= 1
          })
        )
      })
  })
