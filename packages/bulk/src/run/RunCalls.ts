/**
 * The calls of one run: they wait for the rate limit of the service without a deadline, and end unsent when the run stops.
 */
import { CallObserver } from "@signalbox/core/CallInfo"
import { MaxConcurrency, Throttling, Warnings } from "@signalbox/core/Policies"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Random from "effect/Random"
import { MaxRate, Pace } from "./MaxRate.ts"
import { Outage } from "./Outage.ts"
import type { Waiting } from "./Progress.ts"

/** A call that ended because the run stopped, with no request in progress. */
export interface NotSent {
  readonly _tag: "NotSent"
}

const notSent: NotSent = { _tag: "NotSent" }

/** Makes the calls of one run. */
export interface RunCalls {
  /** Makes a call. */
  readonly make: <A, E>(call: Effect.Effect<A, E>, observer?: CallObserver) => Effect.Effect<A, E | NotSent>
  /** Waits while the service is not available. */
  readonly waitForService: Effect.Effect<void>
  /** Lets all calls wait because one failed; returns whether the service has not been available for too long. */
  readonly failed: (reason: string, retryAfterMs?: number) => boolean
  /** Sends nothing more: waiting calls end, requests in progress finish. */
  readonly stop: Effect.Effect<void>
  readonly isStopped: () => boolean
  /** The reason for waiting; `undefined` while calls are made. */
  readonly waiting: () => Waiting | undefined
}

interface LiveCall {
  readonly fiber: Fiber.Fiber<unknown, unknown>
  /** Whether it can end without an outcome: it waits for a request, and no earlier one is in doubt or will be repeated soon. */
  readonly state: { isIdle: boolean }
}

/** Makes the calls of a run with at most `concurrency` requests in progress. */
export const makeRunCalls = Effect.fnUntraced(function* (concurrency: number): Effect.fn.Return<RunCalls> {
  const clock = yield* Clock.Clock
  const random = yield* Random.Random
  const now = () => Number(clock.monotonicTimeNanosUnsafe() / 1000n) / 1000
  const outage = new Outage(() => random.nextDoubleUnsafe())
  const maxConcurrency = Math.max(yield* MaxConcurrency, concurrency)
  const maxRate = yield* MaxRate
  const pace = maxRate === undefined ? undefined : new Pace(maxRate)
  /** Opens with the first attempt, which may show the limit that the rate is a share of. */
  const attempted = yield* Latch.make(typeof maxRate === "number")
  let isFirst = true
  const stopping = yield* Latch.make()
  const live = new Set<LiveCall>()
  /** Until when the rate limit keeps calls waiting. */
  let held = { reason: "RateLimited", until: -Infinity }
  let isStopped = false

  /** The context of all calls, to which each adds its observer. */
  const context = (yield* Effect.context<never>()).pipe(
    Context.add(Throttling, "background"),
    Context.add(MaxConcurrency, maxConcurrency),
    Context.add(Warnings, () => Effect.void)
  )

  const paced =
    pace === undefined
      ? Effect.void
      : Effect.gen(function* () {
          if (!isFirst) yield* attempted.await
          isFirst = false
          yield* Effect.sleep(pace.take(now()))
        })

  /** Observes a call, and ends it before its next request when the run has stopped. */
  const observed = (state: LiveCall["state"], own: CallObserver): CallObserver => {
    // A first request waits only for the rate limit, a retry also because it is one.
    let isHeld = true
    return {
      ...own,
      beforeRequest: Effect.andThen(
        own.beforeRequest === undefined ? paced : Effect.andThen(paced, own.beforeRequest),
        Effect.sync(() => {
          state.isIdle = false
        })
      ),
      onMayBeApplied: (mayHaveArrived) => {
        own.onMayBeApplied?.(mayHaveArrived)
        if (!mayHaveArrived) mayEnd(state)
      },
      onAttempt: (attempt, headers, rateLimit, ...key) => {
        const { outcome, status } = attempt
        isHeld =
          outcome === "RateLimited" ||
          (status === 503 && (headers?.["retry-after"] ?? headers?.["retry-after-ms"]) !== undefined)
        if (isHeld || outcome === "success") held = { ...held, reason: isHeld ? outcome : "RateLimited" }
        outage.observe(attempt, isHeld, now())
        pace?.observe(rateLimit, now())
        Latch.openUnsafe(attempted)
        own.onAttempt?.(attempt, headers, rateLimit, ...key)
      },
      onWait: (delayMs) => {
        if (!isHeld) return
        held = { ...held, until: Math.max(held.until, now() + delayMs) }
        mayEnd(state)
      }
    }
  }

  const endIdle = (): void => {
    for (const { fiber, state } of live) if (state.isIdle) fiber.interruptUnsafe()
  }

  const mayEnd = (state: LiveCall["state"]): void => {
    state.isIdle = true
    if (isStopped) endIdle()
  }

  const make = <A, E>(call: Effect.Effect<A, E>, observer: CallObserver = {}): Effect.Effect<A, E | NotSent> =>
    Effect.suspend(() => {
      if (isStopped) return Effect.fail(notSent)
      const state = { isIdle: true }
      const own = Context.add(context, CallObserver, observed(state, observer))
      const observing: Effect.Effect<A, E> = Effect.updateContext(call, () => own)
      return Effect.flatMap(Effect.forkChild(observing), (fiber) => {
        const one = { fiber, state }
        live.add(one)
        if (isStopped) endIdle()
        return Effect.flatMap(Fiber.await(fiber), (exit): Effect.Effect<A, E | NotSent> => {
          live.delete(one)
          return isStopped && Exit.hasInterrupts(exit) ? Effect.fail(notSent) : exit
        })
      })
    })

  const waiting = (): Waiting | undefined => {
    const at = now()
    const limited = held.until - at
    const unavailable = outage.waitMs(at)
    const wall = clock.currentTimeMillisUnsafe()
    if (unavailable > 0) return { reason: outage.reason, until: wall + unavailable }
    return limited > 0 ? { reason: held.reason, until: wall + limited } : undefined
  }

  return {
    make,
    waitForService: Effect.suspend(() => {
      const delay = outage.waitMs(now())
      return delay <= 0 || isStopped ? Effect.void : Effect.ignore(Effect.timeout(stopping.await, delay))
    }),
    failed: (reason, retryAfterMs = 0) => {
      const at = now()
      outage.failed(reason, at, retryAfterMs)
      return outage.isTooLong(at)
    },
    stop: Effect.suspend(() => {
      isStopped = true
      endIdle()
      return Latch.open(stopping)
    }),
    isStopped: () => isStopped,
    waiting
  }
})
