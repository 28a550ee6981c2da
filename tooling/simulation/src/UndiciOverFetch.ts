/**
 * The undici transport over a dispatcher that uses a `fetch` function, so that scenarios also run over it.
 */
import * as Effect from "effect/Effect"
import type { TransportShape } from "@signalbox/core/Transport"
import * as UndiciTransport from "@signalbox/core/UndiciTransport"
import type { Dispatcher, DispatchHandler } from "@signalbox/core/internal/transport/Dispatcher"

const isRefused = (error: unknown): boolean => {
  const cause: unknown = error instanceof Error ? error.cause : undefined
  return cause instanceof Error && "code" in cause && cause.code === "ECONNREFUSED"
}

/** Passes a response on, chunk by chunk. */
const deliver = async (response: Response, handler: DispatchHandler, abort: (reason: Error) => void): Promise<void> => {
  const controller = { abort }
  handler.onResponseStart(controller, response.status, Object.fromEntries(response.headers))
  if (response.body !== null) {
    for await (const chunk of response.body) handler.onResponseData(controller, chunk)
  }
  handler.onResponseEnd(controller)
}

/** Sends one request over `fetch`. As with undici, a request whose connection is refused never starts. */
const dispatcherOver = (fetch: typeof globalThis.fetch, aborting: AbortController): Dispatcher => ({
  dispatch: ({ body, headers, method, origin, path }, handler) => {
    const abort = (reason: Error) => aborting.abort(reason)
    let isStarted = false
    const start = () => {
      if (!isStarted) handler.onRequestStart({ abort })
      isStarted = true
    }
    fetch(origin + path, { method, headers, body, redirect: "manual", signal: aborting.signal })
      .then((response) => {
        start()
        return deliver(response, handler, abort)
      })
      .catch((error: unknown) => {
        if (!isRefused(error)) start()
        // `fetch` rejects with errors.
        handler.onResponseError({ abort }, error as Error)
      })
    return true
  }
})

/** The undici transport over `fetch`. */
export const undiciTransportOver = (fetch: typeof globalThis.fetch): TransportShape => ({
  // It reports no writes: the dispatcher starts a request late, when it sees that its connection was not refused.
  send: (request, onProgress) =>
    Effect.suspend(() => {
      const aborting = new AbortController()
      const sent = UndiciTransport.make(dispatcherOver(fetch, aborting)).send(request, (head) => {
        if (head !== undefined) onProgress?.(head)
      })
      // undici aborts what it started, and would not start this later. For the fake the request has arrived already.
      return Effect.onInterrupt(sent, () => Effect.sync(() => aborting.abort()))
    })
})

/**
 * Runs an effect with virtual time that waits for the immediates of its transport: Effect schedules what comes next with
 * the global `setImmediate`, which is slower here than the transport's own. It is slow enough for several requests that
 * start one after another at the same time: each must be read before the clock moves.
 */
export const afterImmediates = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.acquireUseRelease(
    Effect.sync(() => {
      const { setImmediate } = globalThis
      const slow = (callback: () => void, turns = 12): unknown =>
        setImmediate(turns === 0 ? callback : () => slow(callback, turns - 1))
      // Effect passes no arguments to its callbacks.
      globalThis.setImmediate = ((callback: () => void) => slow(callback)) as typeof setImmediate
      return setImmediate
    }),
    () => effect,
    (setImmediate) => Effect.sync(() => void (globalThis.setImmediate = setImmediate))
  )
