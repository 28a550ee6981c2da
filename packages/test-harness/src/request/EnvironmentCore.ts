/**
 * What the pipeline knows of the environment that a request is for.
 */
import type { Leak } from "../journal/JournalEntry.ts"
import type { RecordingJournal } from "../journal/Journal.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import type { Switches } from "../switches/Switches.ts"
import type { FakeRequest } from "./FakeRequest.ts"
import type { FaultInjector } from "./FaultInjector.ts"
import type { Route } from "./Route.ts"
import type { Signal } from "./Signal.ts"

/** What the pipeline knows of the environment that a request is for. */
export interface EnvironmentCore {
  readonly switches: Switches
  /** The maker's word in wire identifiers. */
  readonly vendor: string
  readonly now: () => number
  readonly state: () => EnvironmentState
  readonly write: (change: (state: EnvironmentState) => EnvironmentState) => void
  readonly journal: RecordingJournal
  readonly faultInjector: FaultInjector
  /** Notified whenever a key is no longer in flight. */
  readonly keys: Signal
  /** Notified whenever the environment went back to its start: what is under way then belongs to a time that is over. */
  readonly resets: Signal
  /** Ids that a request names, that are unknown here and belong to another environment. */
  readonly leaks: (route: Route, request: FakeRequest, body: unknown) => ReadonlyArray<Leak>
}
