/**
 * All state of the fake behind one API key.
 */
import type { FakeClock } from "../clock/FakeClock.ts"
import { ahead, realClock } from "../clock/FakeClock.ts"
import { isManualClock } from "../clock/ManualClock.ts"
import { withConsoleView } from "./ConsoleView.ts"
import { makeDemoState } from "./DemoState.ts"
import { type EnvironmentOptions, type EnvironmentSettings, settingsOf } from "./EnvironmentOptions.ts"
import { type Faults, makeFaults } from "../faults/Faults.ts"
import { addAll, type AllAdded, type AllInput } from "../generate/AddAll.ts"
import * as Builders from "../generate/Builders.ts"
import { type Amounts, generate } from "../generate/Generate.ts"
import { type Journal, makeJournal } from "../journal/Journal.ts"
import { leaksOf, type Neighbour } from "../request/Leaks.ts"
import type { RecordedUnmatchedRequests, UnmatchedRequests } from "../journal/UnmatchedRequests.ts"
import { makeEventWires } from "../operations/EventWires.ts"
import type { EnvironmentCore } from "../request/EnvironmentCore.ts"
import { type RateLimit, readRateLimit } from "../state/Buckets.ts"
import { makeSignal } from "../request/Signal.ts"
import * as EnvironmentState from "../state/EnvironmentState.ts"
import { type EnvironmentRecords, recordsOf } from "../state/EnvironmentRecords.ts"
import * as EventLog from "../state/EventLog.ts"
import type {
  EventRecord,
  IntegrationRecord,
  MessageRecord,
  SubscriberRecord,
  WorkflowRecord
} from "../state/Records.ts"
import * as Random from "../random/Random.ts"
import { type EnvironmentSnapshot, fromSnapshot, toSnapshot } from "../state/Snapshot.ts"
import {
  type EventInput,
  type IntegrationInput,
  type MessageInput,
  readRecord,
  type SubscriberInput,
  type WorkflowInput
} from "../state/RecordInput.ts"
import { addSubscriber } from "../state/Subscribers.ts"
import { reproductionToken } from "./ReproductionToken.ts"
import { differences, readSwitches, type SwitchName, type Switches } from "../switches/Switches.ts"
import { settle } from "../trigger/Settle.ts"
import { trigger, type TriggerInput } from "../trigger/Trigger.ts"

/** All state behind one API key: subscribers, messages, events, clock, switches, faults and journal. */
export interface Environment {
  /** The key that requests must carry. */
  readonly apiKey: string
  /** 1 for the first environment of its fake. */
  readonly number: number
  /** The values of all switches now; {@link Environment.setSwitches} changes them. */
  readonly switches: Switches
  /** The switches that requests have read: they had a part in a response. `coverage` uses them. */
  readonly exercisedSwitches: () => ReadonlyArray<SwitchName>
  /** Every request and its outcome. */
  readonly journal: Journal
  /**
   * The requests that came since this environment was created or reset and matched no environment of the fake: without an
   * API key, or with an unknown one. They are in no journal.
   */
  readonly unmatchedRequests: UnmatchedRequests
  /** The armed faults. */
  readonly faults: Faults
  /** The clock of the environment. */
  readonly clock: () => FakeClock
  /** Time of the environment, in milliseconds since 1970. */
  readonly now: () => number
  /** The records that the environment stores now. */
  readonly state: () => EnvironmentRecords
  /** Triggers a workflow, whose jobs proceed with the clock. Returns the id and the transaction of the new event. */
  readonly trigger: (input: TriggerInput) => { readonly id: string; readonly transactionId: string }
  readonly addSubscriber: (input: SubscriberInput) => SubscriberRecord
  readonly addIntegration: (input: IntegrationInput) => IntegrationRecord
  readonly addWorkflow: (input: WorkflowInput) => WorkflowRecord
  readonly addMessage: (input: MessageInput) => MessageRecord
  readonly addEvent: (input: EventInput) => EventRecord
  /** Adds records of several kinds: all of them, or none if one is invalid. */
  readonly addAll: (input: AllInput) => AllAdded
  /** Does the same, and lets other code run after each 2,000 generated records; a reset ends it. */
  readonly addAllInSlices: (input: AllInput) => Promise<AllAdded>
  /** Adds realistic subscribers, events and messages, drawn from the seed. Events need a workflow. */
  readonly generate: (amounts: Amounts) => void
  /**
   * Changes switches, for requests from now on.
   *
   * @throws RangeError for an unknown switch or value; then none is changed.
   */
  readonly setSwitches: (values: Partial<Switches>) => void
  /** Limits the rate of requests, with a full bucket; `undefined` returns to the plan of the switches. */
  readonly setRateLimit: (limit: RateLimit | undefined) => void
  /**
   * The reproduction token of this environment: seed, data, switches, rate limit and armed faults, and the start of a
   * clock that stops until it is moved. {@link Environment.snapshot} also has later additions and changes.
   */
  readonly token: () => string
  /** The state, the switches, the rate limit and the vendor as JSON, for {@link Environment.restore} of this or another environment. */
  readonly snapshot: () => EnvironmentSnapshot
  /**
   * Replaces the state, the switches, the rate limit and the vendor by those of a snapshot; {@link Environment.reset} returns to it
   * from then on. A manual clock that is behind moves to the time of the snapshot.
   *
   * @throws RangeError for any value that is not a snapshot.
   */
  readonly restore: (snapshot: unknown) => void
  /**
   * Restores the initial state, switches and rate limit, and clears the journal, the unmatched requests and the faults, even those that never
   * fired. A request that is still delayed ends and changes nothing.
   */
  readonly reset: () => void
}

/** An environment with the parts that only its fake uses. @internal */
export interface MadeEnvironment {
  readonly shown: Environment
  readonly core: EnvironmentCore
  readonly neighbour: Neighbour
  readonly seed: number
  readonly clock: () => FakeClock
  /** Uses the clock of a caller from now on, unless the environment was created with one. Its events stay in its past. */
  readonly adopt: (clock: FakeClock) => void
}

/** The part of a journal that tests see. */
const readingHalf = ({ capacity, entries, evicted, subscribe }: Journal): Journal => ({
  entries,
  evicted,
  capacity,
  subscribe
})

/** The public interface of faults. */
const armingHalf = ({ add, armed, clear, unfired }: Faults): Faults => ({ add, armed, unfired, clear })

/** Values that an environment gets from its fake. */
interface Surroundings {
  readonly number: number
  /** Default: made from number and seed. */
  readonly apiKey?: string
  readonly neighbours: () => Iterable<Neighbour>
  /** How many environments of the fake were created with a seed before this one. */
  readonly namesakes: (seed: number) => number
  readonly unmatchedRequests: RecordedUnmatchedRequests
}

/** The settings that a test can change while an environment is in use, and a reset restores. */
type Tuning = Pick<EnvironmentSettings, "switches" | "rateLimit" | "vendor">

const firstState = ({ data, events, organization, seed }: EnvironmentSettings, idSeed: number, now: number) => {
  const state = data === "demo" ? makeDemoState({ seed, idSeed, now, events }) : EnvironmentState.empty(seed, idSeed)
  return organization === undefined
    ? state
    : { ...state, organizationId: Random.objectId(Random.hash(organization), "organization", 1) }
}

/** Makes an environment; the initial data are made when they are first needed. @internal */
export const makeEnvironment = (
  options: EnvironmentOptions,
  { apiKey, namesakes, neighbours, number, unmatchedRequests }: Surroundings
): MadeEnvironment => {
  const settings = settingsOf(options)
  const { journalCapacity, seed } = settings
  const sharedIds = new Set(settings.sharedIds)
  // One object that changes, because an environment and its fake both show it.
  const switches = { ...settings.switches }
  let currentSwitches: Switches = settings.switches
  const changeSwitches = (values: Partial<Switches>): void => {
    Object.assign(switches, values)
    currentSwitches = { ...switches }
  }
  let initial: Tuning = settings
  let { rateLimit, vendor } = settings
  const twins = namesakes(seed)
  const idSeed = twins === 0 ? seed : Random.hash(seed, "environment", twins)
  const journal = makeJournal(journalCapacity)
  let came = unmatchedRequests.fromNow()
  const seenUnmatched: UnmatchedRequests = { entries: () => came.entries(), count: () => came.count() }
  const faults = makeFaults({ seed, switches, journal, unmatchedFromNow: unmatchedRequests.fromNow })
  for (const fault of settings.faults) faults.add(fault)
  let clock = settings.clock ?? realClock
  const startsAt = isManualClock(clock) ? new Date(clock.now()).toISOString() : undefined
  let adopted: FakeClock | undefined
  let first: EnvironmentState.EnvironmentState | undefined
  let current: EnvironmentState.EnvironmentState | undefined

  const now = () => clock.now()
  const state = () => {
    first ??= firstState(settings, idSeed, now())
    current ??= first
    return current
  }
  const write: EnvironmentCore["write"] = (change) => {
    current = change(state())
  }
  /** The state after the jobs that became due since the last request. */
  const settled = () => {
    write((known) => settle(known, now()))
    return state()
  }
  const add =
    <Input, Added extends { readonly state: EnvironmentState.EnvironmentState }>(
      builder: (state: EnvironmentState.EnvironmentState, now: number, input: Input) => Added
    ) =>
    (input: Input): Added => {
      const added = builder(state(), now(), input)
      current = added.state
      return added
    }

  const tune = (tuning: Tuning): void => {
    changeSwitches(tuning.switches)
    ;({ rateLimit, vendor } = tuning)
  }
  /** Ends requests in flight, so that they cannot change what replaces the state. */
  const replaceState = (): void => {
    current = first
    tune(initial)
    core.resets.notify()
  }

  const core: EnvironmentCore = {
    get switches() {
      return currentSwitches
    },
    eventWires: makeEventWires(),
    exercised: new Set(),
    rateLimit: () => rateLimit,
    vendor: () => vendor,
    now,
    state,
    write,
    journal,
    faultInjector: faults,
    siblingKeys: function* () {
      const { organizationId } = state()
      for (const { state: theirs } of neighbours()) {
        const other = theirs()
        if (other?.organizationId === organizationId) yield other.keys
      }
    },
    keys: makeSignal(),
    resets: makeSignal(),
    leaks: (route, request, body) => leaksOf({ state: state(), sharedIds }, neighbours, route, request, body)
  }
  const shown = withConsoleView<Environment>("Environment", {
    apiKey: apiKey ?? `fake-key-${number}-${seed}`,
    number,
    switches,
    exercisedSwitches: () => [...core.exercised],
    journal: readingHalf(journal),
    unmatchedRequests: seenUnmatched,
    faults: armingHalf(faults),
    clock: () => clock,
    now,
    state: () => recordsOf(settled()),
    trigger: (input) => {
      const { event } = add(trigger)(input)
      return { id: event.id, transactionId: event.transactionId }
    },
    addSubscriber: (input) => add(addSubscriber)(readRecord.subscriber(input)).subscriber,
    addIntegration: (input) => add(Builders.addIntegration)(readRecord.integration(input)).integration,
    addWorkflow: (input) => add(Builders.addWorkflow)(readRecord.workflow(input)).workflow,
    addMessage: (input) => add(Builders.addMessage)(readRecord.message(input)).message,
    addEvent: (input) => add(Builders.addEvent)(readRecord.event(input)).event,
    addAll: (input) => {
      const { added, slices, state: given } = addAll(state(), now(), input)
      current = slices.reduce((known, slice) => slice(known), given)
      return added
    },
    addAllInSlices: async (input) => {
      const { added, slices, state: given } = addAll(state(), now(), input)
      const resets = core.resets.times()
      current = given
      for (const slice of slices) {
        if (core.resets.times() !== resets) break
        write(slice)
        await new Promise((resolve) => void setTimeout(resolve, 0))
      }
      return added
    },
    generate: (amounts) => write((known) => generate(known, now(), amounts)),
    setSwitches: (values) => changeSwitches(readSwitches(values)),
    setRateLimit: (limit) => {
      rateLimit = limit === undefined ? undefined : readRateLimit(limit)
      write(({ buckets: { custom: _full, ...buckets }, ...known }) => ({ ...known, buckets }))
    },
    token: () =>
      reproductionToken({
        seed,
        vendor,
        data: settings.data,
        events: settings.events,
        switches: differences(switches),
        faults: faults.armed().map(({ fault }) => fault),
        ...(rateLimit === undefined ? {} : { rateLimit }),
        ...(startsAt === undefined ? {} : { clock: startsAt })
      }),
    snapshot: () => toSnapshot({ takenAt: now(), vendor, switches, rateLimit, state: settled() }),
    restore: (snapshot) => {
      const taken = fromSnapshot(snapshot)
      if (isManualClock(clock) && clock.now() < taken.takenAt) clock.set(taken.takenAt)
      initial = taken
      first = taken.state
      replaceState()
    },
    reset: () => {
      faults.clear()
      journal.clear()
      came = unmatchedRequests.fromNow()
      replaceState()
    }
  })
  return {
    shown,
    core,
    neighbour: { number, state: () => current },
    seed,
    clock: () => clock,
    adopt: (callers) => {
      if (settings.clock !== undefined || callers === adopted) return
      // A caller's clock often starts in 1970; events later than that would be in its future.
      const newest = current === undefined ? undefined : EventLog.newest(current.events)
      clock = newest !== undefined && newest > callers.now() ? ahead(callers, now() - callers.now()) : callers
      adopted = callers
    }
  }
}
