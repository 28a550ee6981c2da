/**
 * Walks over the event listing on virtual time and records what happened.
 */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import type { ActivityNotification } from "@signalbox/core/Records"
import type { ConnectionError } from "@signalbox/core/Connection"
import { Events } from "@signalbox/core/Events"
import type { ListEventsError } from "@signalbox/core/Errors"
import * as RetryPolicy from "@signalbox/core/RetryPolicy"
import * as Timeouts from "@signalbox/core/Timeouts"
import { createFake, type Fake, type Switches } from "@signalbox/test-harness"
import { endOf, type Outcome } from "../CallReport.ts"
import type { ClientUnderTest } from "../ClientUnderTest.ts"
import type { Observed } from "../Family.ts"
import { type Leftovers, leftoversOf } from "../Leftovers.ts"
import { arm } from "../FaultPlan.ts"
import { serviceClock } from "../ServiceClock.ts"
import { requestIds } from "../SchemaReading.ts"
import { buildClient, inVirtualTime, runToEnd, start, SweptFake } from "../VirtualTime.ts"
import { makeRecorder, type Recording } from "../Recorder.ts"
import type { WalkScenario } from "./WalkScenario.ts"

/** A page that the consumer received. */
export interface ReceivedPage {
  readonly at: number
  readonly ids: ReadonlyArray<string>
  readonly records: ReadonlyArray<ActivityNotification>
}

/** The record of a walk; times are milliseconds since 1970 on the client's clock. */
export interface WalkObservation extends Observed {
  readonly scenario: WalkScenario
  readonly switches: Switches
  readonly apiKey: string
  readonly pages: ReadonlyArray<ReceivedPage>
  readonly end: Outcome<void, ListEventsError>
  /** Whether the walk returned all of its pages: its consumer neither stopped early nor was interrupted. */
  readonly isComplete: boolean
  readonly endedAt: number
  readonly existing: ReadonlyArray<{ readonly id: string; readonly createdAt: number }>
  readonly recording: Recording
  readonly leftBehind: Leftovers
}

const idOf = (kind: string, index: number): string => `${kind}${String(index).padStart(23, "0")}`

const makeWorld = Effect.fnUntraced(function* (scenario: WalkScenario) {
  const { ahead, preset, seed } = scenario
  const clock = yield* serviceClock(ahead)
  const fake =
    (yield* SweptFake) ??
    createFake({
      seed,
      data: "empty",
      preset: preset === "seeded" ? `seeded(${seed})` : preset,
      switches: requestIds,
      clock
    })
  fake.addWorkflow({ identifier: "greeting", createdAt: start - 60_000, steps: [{ type: "in_app" }] })
  const existing = scenario.existing
    .map((age, index) => ({ id: idOf("e", index), createdAt: start + ahead - age }))
    .toSorted((one, other) => one.createdAt - other.createdAt)
  for (const event of existing) fake.addEvent({ ...event, subscriberId: "ann", workflow: "greeting" })
  return { fake, existing, fired: arm(fake, scenario.faults) }
})

const arrive = ({ ahead, arriving }: WalkScenario, fake: Fake) =>
  Effect.forEach(
    arriving,
    (at, index) =>
      Effect.delay(
        Effect.sync(() => {
          const createdAt = start + ahead + at
          fake.addEvent({ id: idOf("a", index), createdAt, subscriberId: "ann", workflow: "greeting" })
        }),
        at
      ),
    { concurrency: "unbounded", discard: true }
  )

/** Consumes pages until the walk, or its share of it, is over; returns the cursor of the last page. */
const consume = (
  { limit, pause, prefetch }: WalkScenario,
  seen: Array<ReceivedPage>,
  pages: number,
  cursor: string | undefined
) =>
  Events.use((events) =>
    events.pages({ limit }, { prefetch, cursor }).pipe(
      Stream.take(pages),
      Stream.runFoldEffect(
        (): string | undefined => undefined,
        Effect.fnUntraced(function* (_, page) {
          const { data } = page
          seen.push({ at: yield* Clock.currentTimeMillis, ids: data.map(({ _id }) => _id ?? "no id"), records: data })
          if (pause > 0) yield* Effect.sleep(pause)
          return page.cursor
        })
      )
    )
  )

/** A walk by one client, or by two of which the second resumes from the cursor of the first. */
const walkWith = Effect.fnUntraced(function* (
  scenario: WalkScenario,
  seen: Array<ReceivedPage>,
  clients: readonly [Context.Context<Events>, Context.Context<Events>]
) {
  const { resumesAfter, stopsAfter = Infinity } = scenario
  const [first, second] = clients
  const pages = Math.min(resumesAfter ?? Infinity, stopsAfter)
  const cursor = yield* Effect.provideContext(consume(scenario, seen, pages, undefined), first)
  if (cursor === undefined || pages === stopsAfter) return
  yield* Effect.provideContext(consume(scenario, seen, stopsAfter - pages, cursor), second)
})

const play = Effect.fnUntraced(function* (scenario: WalkScenario, client: ClientUnderTest) {
  const clock = yield* Clock.Clock
  const { existing, fake, fired } = yield* makeWorld(scenario)
  const recorder = makeRecorder(1, clock)
  const pages: Array<ReceivedPage> = []
  const policies = Context.empty().pipe(
    Context.add(
      RetryPolicy.RetryPolicy,
      scenario.retry === "default" ? RetryPolicy.default : RetryPolicy.make({ maxRetries: 5, baseDelay: 10 })
    ),
    Context.add(
      Timeouts.Timeouts,
      scenario.timeouts === "default" ? Timeouts.default : Timeouts.make({ attempt: 1_000, call: 4_000 })
    )
  )
  const build = Effect.map(buildClient(fake, client), (built) => Context.merge(recorder.into(built), policies))
  const clients = [yield* build, yield* build] as const
  const walk = Random.withSeed(walkWith(scenario, pages, clients), `${scenario.seed}`)
  const work = Effect.andThen(Effect.forkScoped(arrive(scenario, fake)), walk)
  const { endedAt, exit } = yield* runToEnd(work, scenario.abortsAfter)
  return {
    scenario,
    switches: fake.switches,
    apiKey: fake.apiKey,
    journal: fake.journal.entries(),
    fired: fired(),
    pages,
    end: endOf(exit),
    isComplete: exit._tag === "Success" && pages.length !== scenario.stopsAfter,
    endedAt,
    existing,
    recording: recorder,
    leftBehind: leftoversOf(recorder)
  } satisfies WalkObservation
})

/** Walks over the event listing and records what happened. */
export const runWalk = (
  scenario: WalkScenario,
  client: ClientUnderTest
): Effect.Effect<WalkObservation, ConnectionError> => inVirtualTime(play(scenario, client))
