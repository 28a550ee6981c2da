import type { Leak } from "../journal/JournalEntry.ts"
import type { RecordingJournal } from "../journal/Journal.ts"
import type { EventWires } from "../operations/EventWires.ts"
import type { RateLimit } from "../state/Buckets.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import type { KeptKeys } from "../state/KeptKeys.ts"
import type { SwitchName, Switches } from "../switches/Switches.ts"
import type { FakeRequest } from "../wire/FakeRequest.ts"
import type { FaultInjector } from "../faults/FaultInjector.ts"
import type { DeclaredRoutes, Route } from "./Route.ts"
import type { Signal } from "./Signal.ts"

/** The part of an environment that the request pipeline uses. */
export interface EnvironmentCore {
  /** The values now; another object after each change. */
  readonly switches: Switches
  /** The switches that requests have read; each request is watched until enough were. */
  readonly exercised: Set<SwitchName>
  /** The custom rate limit, if there is one. */
  readonly rateLimit: () => RateLimit | undefined
  /** The vendor in wire identifiers. */
  readonly vendor: () => string
  readonly now: () => number
  readonly state: () => EnvironmentState
  readonly write: (change: (state: EnvironmentState) => EnvironmentState) => void
  readonly eventWires: EventWires
  readonly journal: RecordingJournal
  readonly faultInjector: FaultInjector
  /** The operations that tests declared. */
  readonly declaredRoutes: DeclaredRoutes
  /** The idempotency keys of the other environments of its organization. */
  readonly siblingKeys: () => Iterable<KeptKeys>
  /** Fires whenever a key is no longer in flight. */
  readonly keys: Signal
  /** Fires whenever the environment is reset; requests in flight at that time must not change the new state. */
  readonly resets: Signal
  /** Ids in a request that this environment does not have and another environment has. */
  readonly leaks: (route: Route, request: FakeRequest, body: unknown) => ReadonlyArray<Leak>
}
