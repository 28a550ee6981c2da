/**
 * One rate limit for all workers of a database.
 *
 * Workers take their turns from the database, some requests at a time, at a rate at which no window of the service gets
 * more requests than its limit, wherever the window starts. The limit is what the service states in its responses.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Semaphore from "effect/Semaphore"
import type { Gate } from "../run/Gate.ts"
import { limitOf } from "../run/StatedLimit.ts"
import { ChunkStore, type ServiceLimit } from "./ChunkStore.ts"

/** How requests are taken from the limit. */
export interface Pace {
  /** Requests that are taken at once. */
  readonly block: number
  /** Time from one request to the next. */
  readonly perRequestMs: number
}

/** Requests that were taken and not made after this time are given up: later ones would come on top. */
const keepMs = 100

/**
 * The pace for a limit. A window gets one block, the turns that follow in it, what was taken up to {@link keepMs} before,
 * and the one request by which the limit was found out; together that is the limit.
 */
export const paceOf = ({ limit, windowMs }: { readonly limit: number; readonly windowMs: number }): Pace => {
  // Some fifty uses of the database in a window.
  const block = Math.max(1, Math.floor(limit / 50))
  const perRequestMs = (windowMs + keepMs) / Math.max(1, limit - block - 1)
  return { block, perRequestMs }
}

const unlimited: ServiceLimit = { limit: undefined, windowMs: 0 }

const isSame = (a: ServiceLimit | undefined, b: ServiceLimit): boolean =>
  a?.limit === b.limit && a?.windowMs === b.windowMs

const patiently = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("5 seconds")])

/** How long a worker may work with what it read of the limit. */
const freshMs = 5000

const make = Effect.gen(function* () {
  const store = yield* ChunkStore
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const oneAtATime = yield* Semaphore.make(1)
  let known: ServiceLimit | undefined
  let readAt = -Infinity
  let available = 0
  let takenAt = 0
  /** Changes that responses have shown and the database does not contain yet. */
  let news: ServiceLimit | undefined
  /** How long the service wants no request. */
  let holdMs = 0

  const refresh = Effect.gen(function* () {
    if (known !== undefined && now() - readAt < freshMs) return
    known = yield* store.serviceLimit
    readAt = now()
  })

  const publish = Effect.suspend(() => {
    const learned = news
    news = undefined
    if (learned === undefined || isSame(known, learned)) return Effect.void
    known = learned
    return store.setServiceLimit(learned)
  })

  const turn = (requests: number, perRequestMs: number) =>
    Effect.flatMap(store.takeTurn(requests * perRequestMs), (waitMs) =>
      waitMs > 0 ? Effect.sleep(Math.ceil(waitMs)) : Effect.void
    )

  /** Until a response has shown the limit, the fleet makes one request a second. */
  const probe = turn(1, 1000)

  const takeBlock = Effect.fnUntraced(function* (limit: number, windowMs: number) {
    const { block, perRequestMs } = paceOf({ limit, windowMs })
    // Retries by the client have used more than was taken.
    const requests = block - available
    const waitMs = holdMs
    holdMs = 0
    if (waitMs > 0) yield* store.hold(waitMs)
    yield* turn(requests, perRequestMs)
    // Other calls may have been retried meanwhile.
    available += requests
    takenAt = now()
  })

  const isLearning = Effect.gen(function* () {
    yield* refresh
    return known === undefined
  })

  /** Claims one request from the limit; waits until there is one. */
  const take = Semaphore.withPermit(
    oneAtATime,
    Effect.gen(function* () {
      yield* refresh
      if (known?.limit === undefined) return
      while (available <= 0 || now() - takenAt > keepMs) {
        available = Math.min(0, available)
        yield* takeBlock(known.limit, known.windowMs)
      }
      available--
    })
  ).pipe(Effect.retry(patiently), Effect.orDie)

  const published = Effect.ignore(publish)

  const gate: Gate = {
    through: (call) => {
      const limited = Effect.andThen(take, call)
      const measured = Effect.suspend(() => (news === undefined ? Effect.void : published))
      // Most calls find the limit known, and do not wait for each other here.
      if (known !== undefined) return Effect.tap(limited, () => measured)
      return Semaphore.withPermit(
        oneAtATime,
        Effect.gen(function* () {
          const mustProbe = yield* Effect.orDie(Effect.retry(isLearning, patiently))
          if (!mustProbe) return undefined
          yield* Effect.orDie(Effect.retry(probe, patiently))
          // Another worker can have found it out meanwhile.
          if (!(yield* Effect.orDie(Effect.retry(isLearning, patiently)))) return undefined
          const result = yield* call
          yield* published
          return { result }
        })
      ).pipe(
        Effect.flatMap((probed) =>
          probed === undefined ? Effect.tap(limited, () => measured) : Effect.succeed(probed.result)
        )
      )
    },
    onAttempt: ({ number, status }, headers, rateLimit) => {
      if (number > 1) available--
      if (headers === undefined) return
      const stated = rateLimit && limitOf(rateLimit, known)
      if (stated !== undefined) {
        if (!isSame(known, stated)) news = stated
      } else if (known === undefined) news = unlimited
      if (status !== 429) return
      const seconds = Number(headers["retry-after"])
      if (seconds > 0) holdMs = seconds * 1000
    }
  }
  return gate
})

/** The limit that all workers of a database share. */
export class FleetLimit extends Context.Service<FleetLimit, Gate>()("signalbox/bulk/cluster/FleetLimit") {
  static readonly layer = Layer.effect(FleetLimit, make)
}
