/**
 * Counts the open exchanges and the running timers of a call.
 */
import type * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import type { TransportShape } from "@signalbox/core/Transport"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"

/** The open exchanges and timers of a call. */
export interface Watch {
  /** Number of the call. */
  readonly call: number
  /** Running timers. */
  timers: number
  /** Open exchanges. */
  exchanges: number
  /** Opens when the call can make no further progress until time passes. */
  readonly waits: Latch.Latch
}

/** Makes a watch for a call that has not started. */
export const makeWatch = (call: number): Watch => ({ call, timers: 0, exchanges: 0, waits: Latch.makeUnsafe() })

/** The watch of the current call. */
export const CurrentWatch = Context.Reference<Watch | undefined>("signalbox/simulation/CurrentWatch", {
  defaultValue: () => undefined
})

/** The header that names the call in the journal. */
export const callHeader = "x-simulation-call"

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

const currentCall = Effect.map(CurrentWatch, (watch) => String(watch?.call ?? 0))

/** An HTTP client that names the call in every request and counts open exchanges. */
export const watchedClient = (client: HttpClient.HttpClient): HttpClient.HttpClient =>
  HttpClient.mapRequestEffect(client, (request) =>
    Effect.map(currentCall, (call) => HttpClientRequest.setHeader(request, callHeader, call))
  ).pipe(HttpClient.transform(counted))

/** The same for a transport. */
export const watchedSending = ({ send }: TransportShape): TransportShape => ({
  send: (request) =>
    Effect.flatMap(currentCall, (call) =>
      counted(send({ ...request, headers: { ...request.headers, [callHeader]: call } }))
    )
})

/** A clock that counts running timers. */
export const watchedClock = (clock: Clock.Clock, watch: Watch): Clock.Clock => ({
  ...clock,
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
