/**
 * Runs a scenario on virtual time and records what happened.
 */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import type { ConnectionError } from "@signalbox/core/Connection"
import { type Fake, Fault, type JournalEntry } from "@signalbox/test-harness"
import type { ClientUnderTest } from "../ClientUnderTest.ts"
import { arm } from "../FaultPlan.ts"
import { areKeysHonoured } from "./Keys.ts"
import type { Observation, ObservedCall } from "./Observation.ts"
import { startCall, type RunningCall } from "./RunningCall.ts"
import type { PlannedCall, Scenario } from "./Scenario.ts"
import { serviceClock } from "../ServiceClock.ts"
import { buildClient, end, inVirtualTime, passTo, start } from "../VirtualTime.ts"
import { callHeader, duplicateHeader } from "../Watch.ts"
import { makeWorld } from "./World.ts"

/** The number of the call that sent a request. */
const callOf = (entry: JournalEntry): number => Number(entry.headers[callHeader] ?? 0)

/** Whether the network delivered a request that it had delivered before. */
const isDuplicate = ({ headers }: JournalEntry): boolean => headers[duplicateHeader] !== undefined

/** Resets every connection for a second, as a service does that crashes and starts again with the same state. */
const crash = Effect.fnUntraced(function* (fake: Fake) {
  for (const at of ["received", "validated", "committed", "answering"] as const) {
    fake.faults.add(Fault.reset({ at, times: "always" }))
  }
  yield* Effect.sleep(1_000)
  fake.faults.clear()
})

const observed = (running: RunningCall, journal: ReadonlyArray<JournalEntry>): ObservedCall => {
  const { finished, number, plan, recording, startedAt } = running
  const { at, outcome } = finished() ?? { at: end, outcome: { _tag: "Interrupted" } }
  return {
    number,
    plan,
    startedAt,
    endedAt: at,
    outcome,
    recording,
    attempts: recording.attempts,
    requests: journal.filter((entry) => callOf(entry) === number && !isDuplicate(entry)),
    duplicates: journal.filter((entry) => callOf(entry) === number && isDuplicate(entry))
  }
}

/** Whether a call may wait for another one of its client and has no deadline, which would start a timer. */
const mayWaitSilently = (plan: PlannedCall, running: ReadonlyArray<RunningCall>): boolean =>
  plan.timeouts === "none" &&
  running.some((earlier) => earlier.plan.client === plan.client && earlier.finished() === undefined)

const play = Effect.fnUntraced(function* (scenario: Scenario, client: ClientUnderTest) {
  const fake = makeWorld(scenario, yield* serviceClock(scenario.ahead))
  const fired = arm(fake, scenario.faults)
  const build = buildClient(fake, client, { vendor: scenario.vendor })
  const clients = yield* Effect.forEach(
    Array.from({ length: 1 + Math.max(...scenario.calls.map(({ client: index }) => index)) }),
    () => build
  )
  const running: Array<RunningCall> = []
  if (scenario.crashesAt !== undefined) yield* Effect.forkChild(Effect.delay(crash(fake), scenario.crashesAt))
  const inOrder = scenario.calls.toSorted((one, other) => one.at - other.at)
  for (const [index, plan] of inOrder.entries()) {
    yield* passTo(start + plan.at)
    running.push(
      yield* startCall({
        number: index + 1,
        plan,
        client: clients[plan.client] ?? (yield* build),
        seed: scenario.seed,
        duplicates: scenario.duplicates,
        clockStep: scenario.clockStep,
        isQueued: mayWaitSilently(plan, running),
        areKeysHonoured: areKeysHonoured(fake.switches)
      })
    )
  }
  yield* passTo(end)
  yield* Effect.forEach(running, ({ fiber }) => Effect.forkChild(Fiber.interrupt(fiber)), { discard: true })
  // Lets the service finish the work of disconnected callers.
  yield* passTo(2 * end - start)
  const journal = fake.journal.entries()
  return {
    scenario,
    switches: fake.switches,
    apiKey: fake.apiKey,
    calls: running.map((call) => observed(call, journal)),
    journal,
    fired: fired(),
    unmatchedRequests: fake.unmatchedRequests.count(),
    state: fake.state()
  } satisfies Observation
})

/** Runs a scenario and records what happened. */
export const run = (scenario: Scenario, client: ClientUnderTest): Effect.Effect<Observation, ConnectionError> =>
  inVirtualTime(play(scenario, client))
