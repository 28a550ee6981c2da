/**
 * Sends rows to a service with a rate limit, on virtual time.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import { TestClock } from "effect/testing"
import * as Client from "@signalbox/core/Client"
import * as Connection from "@signalbox/core/Connection"
import { Credentials } from "@signalbox/core/Credentials"
import * as HttpClientTransport from "@signalbox/core/HttpClientTransport"
import { Throttling } from "@signalbox/core/Policies"
import { Transport } from "@signalbox/core/Transport"
import { createFake } from "@signalbox/test-harness"
import { layer as fakeLayer } from "@signalbox/test-harness/effect"
import { serviceClock } from "../ServiceClock.ts"

/** A service with a rate limit, and the rows that are sent to it. */
export interface RatePlan {
  readonly plan: "free" | "pro"
  /** How the service states its limit: headers in every response, `Retry-After` in rejections, or not at all. */
  readonly statement: "headers" | "retry-after" | "neither"
  readonly concurrency: number
  readonly rows: number
  readonly seed: number
}

/** The outcomes of the rows. */
export interface RateOutcome {
  readonly lost: number
  readonly requests: number
  /** Responses with 429. */
  readonly rejected: number
  /** How much of the rate that the limit, or the concurrency, allows was used; 1 for all of it. */
  readonly usedShare: number
}

const latency = { least: 20, spread: 40 }
const meanLatency = latency.least + latency.spread / 2

/** Requests that the plans allow at once, and then in a second, as the fake counts writes. */
const allowed = { free: { burst: 110, perSecond: 20 }, pro: { burst: 440, perSecond: 80 } }

const randomFrom = (seed: number) => {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31
    return state / 2 ** 31
  }
}

/** Sends each row as one call in the background, `concurrency` at a time. */
export const runRate = Effect.fnUntraced(function* ({ concurrency, plan, rows, seed, statement }: RatePlan) {
  const fake = createFake({
    seed,
    clock: yield* serviceClock(0),
    data: "empty",
    journalCapacity: 1,
    switches: {
      "rateLimit.plan": plan,
      "rateLimit.headers": statement === "headers" ? "present" : "absent",
      "rateLimit.retryAfter": statement === "neither" ? "absent" : "seconds"
    }
  })
  fake.addIntegration({ providerId: "slack" })
  const subscriberIds = Array.from({ length: rows }, (_, index) => `subscriber-${index}`)
  for (const subscriberId of subscriberIds) fake.addSubscriber({ subscriberId })
  const random = randomFrom(seed)
  let requests = 0
  let rejected = 0
  const distant = Effect.map(Transport, (near) =>
    Transport.of({
      ...near,
      send: (request) =>
        Effect.suspend(() => {
          const oneWay = (latency.least + random() * latency.spread) / 2
          return Effect.delay(
            Effect.suspend(() => near.send(request)),
            oneWay
          ).pipe(
            Effect.tap(({ status }) => {
              requests++
              if (status === 429) rejected++
              return Effect.sleep(oneWay)
            })
          )
        })
    })
  )
  const client = Client.layerNoDeps.pipe(
    Layer.provide(Layer.effect(Transport, distant)),
    Layer.provide(HttpClientTransport.layer),
    Layer.provide(fakeLayer(fake)),
    Layer.provide(Connection.layer({ apiKey: fake.apiKey, baseUrl: fake.baseUrl }))
  )
  const clock = yield* Clock.Clock
  const started = clock.currentTimeMillisUnsafe()
  const row = (subscriberId: string) =>
    Credentials.use((credentials) =>
      credentials.upsert(subscriberId, { providerId: "slack", credentials: { webhookUrl: "https://hook.test/1" } })
    ).pipe(Effect.isSuccess)
  const work = Effect.forEach(subscriberIds, row, { concurrency }).pipe(
    Effect.map((isSent) => ({ isSent, seconds: (clock.currentTimeMillisUnsafe() - started) / 1000 })),
    Effect.provideService(Throttling, "background"),
    Effect.provideService(Random.Random, { nextDoubleUnsafe: random, nextIntUnsafe: () => 0 }),
    Effect.provide(client)
  )
  const fiber = yield* Effect.forkChild(work, { startImmediately: true })
  yield* TestClock.adjust("1 hour")
  const { isSent, seconds } = yield* Fiber.join(fiber)
  const { burst, perSecond } = allowed[plan]
  const least = Math.max((rows - burst) / perSecond, (rows / concurrency) * (meanLatency / 1000))
  return {
    lost: isSent.filter((ok) => !ok).length,
    requests,
    rejected,
    usedShare: least / seconds
  } satisfies RateOutcome
})
