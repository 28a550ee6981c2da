/**
 * Runs a scenario on virtual time, and writes down what was seen.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as HttpClient from "effect/http/HttpClient"
import { TestClock } from "effect/testing"
import type { ConnectionError } from "@signalbox/core/Connection"
import { type Fake, type JournalEntry, verdicts } from "@signalbox/test-harness"
import type { ClientUnderTest } from "./ClientUnderTest.ts"
import { areKeysHonoured } from "./Keys.ts"
import type { Observation, ObservedCall } from "./Observation.ts"
import { begin, type RunningCall } from "./RunningCall.ts"
import type { Scenario } from "./Scenario.ts"
import { serviceClock } from "./ServiceClock.ts"
import { callHeader, watchedTransport } from "./Watch.ts"
import { makeWorld, start } from "./World.ts"

/** Longer than any call with a deadline takes, and than any delay that a service asks for. */
const horizon = 2 * 3_600_000

/** Number of the call that a request belongs to. */
const callOf = (entry: JournalEntry): number => Number(entry.headers[callHeader] ?? 0)

const buildClient = (fake: Fake, client: ClientUnderTest) =>
  Layer.build(
    Layer.fresh(client({ apiKey: fake.apiKey, baseUrl: fake.baseUrl })).pipe(
      Layer.provide(Layer.effect(HttpClient.HttpClient, Effect.map(HttpClient.HttpClient, watchedTransport))),
      Layer.provide(fake.layer)
    )
  )

/** Writes down the order in which requests change something. */
const watchCommits = (fake: Fake): ReadonlyArray<JournalEntry> => {
  const committed = new Set<JournalEntry>()
  const order: Array<JournalEntry> = []
  fake.journal.subscribe((entry) => {
    if (committed.has(entry) || !entry.applied || entry.passages.at(-1)?.point !== "committed") return
    committed.add(entry)
    order.push(entry)
  })
  return order
}

const observed = (running: RunningCall, journal: ReadonlyArray<JournalEntry>): ObservedCall => {
  const { attempts, beganAt, ended, number, plan, watch } = running
  const { at, told } = ended() ?? { at: start + horizon, told: { _tag: "Interrupted" } }
  return {
    number,
    plan,
    beganAt,
    endedAt: at,
    told,
    attempts,
    requests: journal.filter((entry) => callOf(entry) === number),
    leftBehind: { timers: watch.timers, exchanges: watch.exchanges }
  }
}

const play = Effect.fnUntraced(function* (scenario: Scenario, client: ClientUnderTest) {
  yield* TestClock.setTime(start)
  // Where nobody disagrees, the service takes over the clock of its caller.
  const fake = makeWorld(scenario, scenario.ahead === 0 ? undefined : yield* serviceClock(scenario.ahead))
  const committed = watchCommits(fake)
  const clients = [yield* buildClient(fake, client), yield* buildClient(fake, client)] as const
  const running: Array<RunningCall> = []
  const inOrder = scenario.calls.toSorted((one, other) => one.at - other.at)
  for (const [index, plan] of inOrder.entries()) {
    yield* TestClock.setTime(start + plan.at)
    running.push(
      yield* begin({
        number: index + 1,
        plan,
        client: clients[plan.client],
        seed: scenario.seed,
        areKeysHonoured: areKeysHonoured(fake.switches)
      })
    )
  }
  yield* TestClock.setTime(start + horizon)
  yield* Effect.forEach(running, ({ fiber }) => Fiber.interrupt(fiber), { discard: true })
  // What the service began for callers that are gone comes to its end.
  yield* TestClock.setTime(start + 2 * horizon)
  const journal = fake.journal.entries()
  return {
    scenario,
    switches: fake.switches,
    calls: running.map((call) => observed(call, journal)),
    journal,
    committed,
    verdicts: verdicts(fake.journal),
    state: fake.state()
  } satisfies Observation
})

/** Runs a scenario on virtual time, and writes down what was seen. */
export const run = (scenario: Scenario, client: ClientUnderTest): Effect.Effect<Observation, ConnectionError> =>
  play(scenario, client).pipe(Effect.scoped, Effect.provide(Layer.mergeAll(TestClock.layer(), Logger.layer([]))))
