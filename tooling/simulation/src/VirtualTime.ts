/**
 * Virtual time, in which scenarios run, and clients whose timers and exchanges are counted.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import type * as Scope from "effect/Scope"
import * as HttpClient from "effect/http/HttpClient"
import type { ConnectionOptions } from "@signalbox/core/Connection"
import type { Fake } from "@signalbox/test-harness"
import { runOnVirtualTime } from "@signalbox/test-harness/internal/time/VirtualTime"
import type { ClientUnderTest } from "./ClientUnderTest.ts"
import { changedClock, watchedClient } from "./Watch.ts"
import { layer as fakeLayer } from "@signalbox/test-harness/effect"

/** When scenarios start, in milliseconds since 1970. */
export const start = Date.UTC(2026, 0, 1)

/** Longer than any deadline and than any delay that the service requests, in milliseconds. */
export const horizon = 2 * 3_600_000

/** When a scenario is over, in milliseconds since 1970. */
export const end = start + horizon

/** Lets time pass until then. */
export const passTo = (at: number): Effect.Effect<void> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => Effect.sleep(Math.max(0, at - now)))

/** A step of a wall clock. */
export interface ClockStep {
  /** When the clock is set, in milliseconds after the start. */
  readonly at: number
  /** By how many milliseconds. */
  readonly by: number
}

/** A clock whose wall time is set at a time; its monotonic time and its timers continue. */
export const steppedClock = (clock: Clock.Clock, step: ClockStep): Clock.Clock => {
  const now = () => {
    const time = clock.currentTimeMillisUnsafe()
    return time < start + step.at ? time : time + step.by
  }
  return changedClock(clock, {
    currentTimeMillisUnsafe: now,
    currentTimeMillis: Effect.sync(now),
    currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
    currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n)
  })
}

/** Builds a client over a fake. */
export const buildClient = (fake: Fake, client: ClientUnderTest, options: Pick<ConnectionOptions, "vendor"> = {}) =>
  Layer.build(
    Layer.fresh(client({ apiKey: fake.apiKey, baseUrl: fake.baseUrl, ...options }, fake.fetch)).pipe(
      Layer.provide(Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, watchedClient))),
      Layer.provide(fakeLayer(fake))
    )
  )

/** Long enough for a scenario in which each call waits a hundred times, and for the work of the service after it. */
export const longestMs = 5 * horizon

/** Runs a scenario on its own virtual clock. */
export const inVirtualTime = <A, E>(scenario: Effect.Effect<A, E, Scope.Scope>): Effect.Effect<A, E> =>
  Effect.flatMap(
    Effect.promise(() =>
      runOnVirtualTime(
        start,
        () => Effect.runPromiseExit(Effect.scoped(scenario).pipe(Effect.provide(Logger.layer([])))),
        { longestMs }
      )
    ),
    (run) => {
      switch (run._tag) {
        case "Returned":
          return run.value
        case "Threw":
          return Effect.die(run.error)
        case "Hung":
          return Effect.die(new Error("the scenario never finished"))
      }
    }
  )
