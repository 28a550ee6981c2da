/**
 * Marks many messages on virtual time and records what happened.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import type { ConnectionError } from "@signalbox/core/Connection"
import * as IdempotencyPolicy from "@signalbox/core/IdempotencyPolicy"
import type { MarkManyMessagesAsError } from "@signalbox/core/Errors"
import { Messages } from "@signalbox/core/Messages"
import * as RetryPolicy from "@signalbox/core/RetryPolicy"
import * as Timeouts from "@signalbox/core/Timeouts"
import { createFake, type Fake, type FakeClock } from "@signalbox/test-harness"
import { endOf, type Outcome } from "../CallReport.ts"
import type { ClientUnderTest } from "../ClientUnderTest.ts"
import type { Observed } from "../Family.ts"
import { type Leftovers, leftoversOf } from "../Leftovers.ts"
import { arm } from "../FaultPlan.ts"
import { serviceClock } from "../ServiceClock.ts"
import { requestIds } from "../SchemaReading.ts"
import { buildClient, inVirtualTime, runToEnd, start, SweptFake } from "../VirtualTime.ts"
import { makeRecorder, type Recording } from "../Recorder.ts"
import type { MarkScenario } from "./MarkScenario.ts"

/** The outcome of each message, as the client reports it. */
export interface MarkReport {
  readonly done: ReadonlyArray<string>
  readonly failed: ReadonlyArray<string>
  readonly notTried: ReadonlyArray<string>
}

/** The record of a scenario; times are milliseconds since 1970 on the virtual clock. */
export interface MarkObservation extends Observed {
  readonly scenario: MarkScenario
  readonly apiKey: string
  readonly ids: ReadonlyArray<string>
  readonly end: Outcome<Effect.Success<ReturnType<typeof mark>>, MarkManyMessagesAsError>
  readonly endedAt: number
  /** Every report that `onEnd` received. */
  readonly reports: ReadonlyArray<MarkReport>
  /** The messages that are read at the end. */
  readonly read: ReadonlySet<string>
  readonly recording: Recording
  readonly leftBehind: Leftovers
}

const keyPolicies = {
  random: IdempotencyPolicy.random,
  fixed: IdempotencyPolicy.fixed("one key for all"),
  off: IdempotencyPolicy.off
}

const makeWorld = (
  { preset, seed }: MarkScenario,
  ids: ReadonlyArray<string>,
  swept: Fake | undefined,
  clock: FakeClock
): Fake => {
  const createdAt = start - 60_000
  const fake =
    swept ??
    createFake({
      seed,
      data: "empty",
      clock,
      preset: preset === "seeded" ? `seeded(${seed})` : preset,
      switches: requestIds
    })
  fake.addSubscriber({ subscriberId: "ann", createdAt, updatedAt: createdAt })
  for (const id of ids) fake.addMessage({ id, subscriberId: "ann", createdAt, deliveredAt: [createdAt] })
  return fake
}

const policiesOf = ({ key, retry, timeouts }: MarkScenario) =>
  Context.empty().pipe(
    Context.add(IdempotencyPolicy.IdempotencyPolicy, keyPolicies[key]),
    Context.add(RetryPolicy.RetryPolicy, retry === "default" ? RetryPolicy.default : RetryPolicy.none),
    Context.add(
      Timeouts.Timeouts,
      timeouts === "default" ? Timeouts.default : Timeouts.make({ attempt: 1_000, call: 4_000 })
    )
  )

const mark = ({ concurrency }: MarkScenario, ids: ReadonlyArray<string>, reports: Array<MarkReport>) =>
  Messages.use((messages) =>
    messages.markManyAs("ann", ids, "read", { concurrency, onEnd: (report) => void reports.push(report) })
  )

const play = Effect.fnUntraced(function* (scenario: MarkScenario, client: ClientUnderTest) {
  const clock = yield* Clock.Clock
  const ids = Array.from({ length: scenario.count }, (_, index) => String(index).padStart(24, "0"))
  const fake = makeWorld(scenario, ids, yield* SweptFake, yield* serviceClock(0))
  const fired = arm(fake, scenario.faults)
  const recorder = makeRecorder(1, clock)
  const reports: Array<MarkReport> = []
  const surroundings = recorder.into(Context.merge(yield* buildClient(fake, client), policiesOf(scenario)))
  const work = mark(scenario, ids, reports).pipe(
    Random.withSeed(`${scenario.seed}`),
    Effect.provideContext(surroundings)
  )
  const { endedAt, exit } = yield* runToEnd(work, scenario.abortsAfter)
  return {
    scenario,
    apiKey: fake.apiKey,
    journal: fake.journal.entries(),
    fired: fired(),
    ids,
    end: endOf(exit),
    endedAt,
    reports,
    read: new Set(fake.state().messages.flatMap(({ id, read }) => (read ? [id] : []))),
    recording: recorder,
    leftBehind: leftoversOf(recorder)
  } satisfies MarkObservation
})

/** Marks many messages and records what happened. */
export const runMarks = (
  scenario: MarkScenario,
  client: ClientUnderTest
): Effect.Effect<MarkObservation, ConnectionError> => inVirtualTime(play(scenario, client))
