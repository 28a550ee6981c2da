import type { FakeClock } from "../clock/FakeClock.ts"
import { isManualClock } from "../clock/ManualClock.ts"
import { type Faults, makeFaults } from "../faults/Faults.ts"
import { type Journal, makeJournal } from "../journal/Journal.ts"
import type { RecordedUnmatchedRequests, UnmatchedRequests } from "../journal/UnmatchedRequests.ts"
import { makeEventWires } from "../operations/EventWires.ts"
import * as Random from "../random/Random.ts"
import type { DeclaredOperation } from "@signalbox/core/DeclaredOperation"
import type { DeclaredRoute, RouteHandler } from "../request/DeclaredRoute.ts"
import type { EnvironmentCore } from "../request/EnvironmentCore.ts"
import { routeNames } from "../input/RouteNames.ts"
import { leaksOf, type Neighbour } from "../request/Leaks.ts"
import { makeSignal } from "../request/Signal.ts"
import type { RateLimit } from "../state/Buckets.ts"
import { type EnvironmentRecords, recordsOf } from "../state/EnvironmentRecords.ts"
import { type EnvironmentSnapshot, fromSnapshot, toSnapshot } from "../state/Snapshot.ts"
import { nearestOptions, type SwitchName, type Switches } from "../switches/Switches.ts"
import { makeCallersClock } from "./CallersClock.ts"
import { type EnvironmentData, makeData } from "./EnvironmentData.ts"
import { type EnvironmentOptions, settingsOf } from "./EnvironmentOptions.ts"
import { reproductionToken } from "./ReproductionToken.ts"
import { makeStateStore } from "./StateStore.ts"
import { makeTuning } from "./Tuning.ts"

/** All state behind one API key: subscribers, messages, events, clock, switches, faults and journal. */
export interface Environment extends EnvironmentData {
  /** The key that requests must carry. */
  readonly apiKey: string
  /** The name that it was created with, if it has one. */
  readonly name: string | undefined
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
  /** The base URLs of the servers that serve it now; without one, only `fetch` of its fake and the Layer reach it. */
  readonly servers: () => ReadonlyArray<string>
  /** The armed faults. */
  readonly faults: Faults
  /** The clock of the environment. */
  readonly clock: () => FakeClock
  /** Time of the environment, in milliseconds since 1970. */
  readonly now: () => number
  /** The records that the environment stores now. */
  readonly state: () => EnvironmentRecords
  /**
   * Changes switches, for requests from now on.
   *
   * @throws RangeError for an unknown switch or value; then none is changed.
   */
  readonly setSwitches: (values: Partial<Switches>) => void
  /**
   * Serves an operation that `defineOperation` made: its requests have faults, idempotency, rate limits, journal and verdicts
   * like all others. That of a fake holds for all of its environments, that of another environment for itself only. Each
   * environment has a state for each resource, such as `topics` of `topics.create`, which a reset removes; the handlers stay.
   *
   * @throws RangeError for anything that `defineOperation` did not make.
   */
  readonly route: <Input, Output, State = unknown>(
    operation: DeclaredOperation<Input, Output>,
    handler: RouteHandler<Input, Output, State>
  ) => void
  /** Limits the rate of requests, with full buckets; `undefined` returns to the plan of the switches. */
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

const armingHalf = ({ add, armed, clear, unfired }: Faults): Faults => ({ add, armed, unfired, clear })

interface Surroundings {
  readonly number: number
  readonly keyOf: (number: number, seed: number) => string
  readonly neighbours: () => Iterable<Neighbour>
  /** Called when a test sets a switch of keys: this environment answers unknown keys from then on. */
  readonly switchesOfKeysSet: () => void
  /** How many environments of the fake were created with a seed before this one. */
  readonly namesakes: (seed: number) => number
  readonly unmatchedRequests: RecordedUnmatchedRequests
  /** The operations that were declared for all environments of the fake. */
  readonly sharedRoutes: Map<string, DeclaredRoute>
  /** The base URLs of the servers of the fake. */
  readonly servers: ReadonlySet<string>
}

/** The method and the path of an operation without the names of its parameters. */
const endpointOf = ({ method, path }: Pick<DeclaredOperation, "method" | "path">): string =>
  `${method} ${path.replaceAll(/:[^/]+/gu, ":")}`

/** Adds a declared operation to others. @internal */
export const addRoute =
  (routes: Map<string, DeclaredRoute>): Environment["route"] =>
  (operation, handler) => {
    // Callers without types can pass anything.
    if (operation?.["~callable"] === undefined) throw new RangeError("route: operation must be from defineOperation")
    const { method, name, path } = operation
    for (const { operation: other } of routes.values()) {
      if (other.name === name || endpointOf(other) !== endpointOf(operation)) continue
      throw new RangeError(`route: ${name} has the endpoint of ${other.name}: ${method} ${path}; serve one of them`)
    }
    routeNames.add(name)
    // The pipeline gives the handler what it returned, and an input that its schema read.
    routes.set(name, { operation, handle: handler as RouteHandler<unknown, unknown, unknown> })
  }

/** Makes an environment; the initial data are made when they are first needed. @internal */
export const makeEnvironment = (
  options: EnvironmentOptions,
  { keyOf, namesakes, neighbours, number, servers, sharedRoutes, switchesOfKeysSet, unmatchedRequests }: Surroundings
): MadeEnvironment => {
  const settings = settingsOf(options)
  const { seed } = settings
  const sharedIds = new Set(settings.sharedIds)
  const twins = namesakes(seed)
  const idSeed = twins === 0 ? seed : Random.hash(seed, "environment", twins)

  const { adopt, clock } = makeCallersClock(settings.clock)
  const startsAt = isManualClock(clock()) ? new Date(clock().now()).toISOString() : undefined
  const store = makeStateStore(settings, idSeed, () => clock().now())
  const tuning = makeTuning(settings)
  const { switches } = tuning
  const journal = makeJournal(settings.journalCapacity)
  let came = unmatchedRequests.fromNow()
  const routes = new Map<string, DeclaredRoute>()
  const faults = makeFaults({ seed, switches, journal, unmatchedFromNow: unmatchedRequests.fromNow })
  for (const fault of settings.faults) faults.add(fault)

  const core: EnvironmentCore = {
    get switches() {
      return tuning.currentSwitches()
    },
    eventWires: makeEventWires(),
    exercised: new Set(),
    rateLimit: tuning.rateLimit,
    vendor: tuning.vendor,
    now: store.now,
    state: store.state,
    write: store.write,
    journal,
    faultInjector: faults,
    declaredRoutes: () =>
      sharedRoutes.size + routes.size === 0 ? [] : [...new Map([...sharedRoutes, ...routes]).values()],
    siblingKeys: function* () {
      const { organizationId } = store.state()
      for (const { state: theirs } of neighbours()) {
        const other = theirs()
        if (other?.organizationId === organizationId) yield other.keys
      }
    },
    keys: makeSignal(),
    resets: store.resets,
    leaks: (route, request, body) => leaksOf({ state: store.state(), sharedIds }, neighbours, route, request, body)
  }
  const shown: Environment = {
    apiKey: keyOf(number, seed),
    name: settings.name,
    number,
    switches,
    exercisedSwitches: () => [...core.exercised],
    journal: readingHalf(journal),
    unmatchedRequests: { entries: () => came.entries(), count: () => came.count() },
    servers: () => [...servers],
    faults: armingHalf(faults),
    clock,
    now: store.now,
    state: () => recordsOf(store.settled()),
    ...makeData(store),
    route: addRoute(routes),
    setSwitches: (values) => {
      tuning.setSwitches(values)
      if (Object.keys(values).some((name) => name.startsWith("auth."))) switchesOfKeysSet()
    },
    setRateLimit: (limit) => {
      tuning.setRateLimit(limit)
      store.write((known) => ({ ...known, buckets: {} }))
    },
    token: () => {
      const rateLimit = tuning.rateLimit()
      return reproductionToken({
        seed,
        vendor: tuning.vendor(),
        data: settings.data,
        events: settings.events,
        ...nearestOptions(switches),
        faults: faults.armed().map(({ fault }) => fault),
        ...(rateLimit === undefined ? {} : { rateLimit }),
        ...(startsAt === undefined ? {} : { clock: startsAt })
      })
    },
    snapshot: () =>
      toSnapshot({
        takenAt: store.now(),
        vendor: tuning.vendor(),
        switches,
        rateLimit: tuning.rateLimit(),
        state: store.settled()
      }),
    restore: (snapshot) => {
      const taken = fromSnapshot(snapshot)
      const moved = clock()
      if (isManualClock(moved) && moved.now() < taken.takenAt) moved.set(taken.takenAt)
      tuning.reset(taken)
      store.reset(taken.state)
    },
    reset: () => {
      faults.clear()
      journal.clear()
      came = unmatchedRequests.fromNow()
      tuning.reset()
      store.reset()
    }
  }
  return {
    shown,
    core,
    neighbour: { number, state: store.used },
    seed,
    clock,
    adopt: (callers) => adopt(callers, store.newest())
  }
}
