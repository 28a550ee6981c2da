/**
 * What the pipeline knows of the environment that a request is for.
 */
import type { Leak } from "../journal/JournalEntry.ts"
import type { RecordingJournal } from "../journal/Journal.ts"
import type { EnvironmentState } from "../state/EnvironmentState.ts"
import type { Switches } from "../switches/Switches.ts"
import type { FakeRequest } from "./FakeRequest.ts"
import type { Interferer } from "./Interference.ts"
import type { Route } from "./Route.ts"

/** Wakes those who wait, once. */
export interface Signal {
  readonly notify: () => void
  /** Gives the function that stops waiting. */
  readonly subscribe: (happened: () => void) => () => void
}

/** Makes a signal that nobody waits for. */
export const makeSignal = (): Signal => {
  const waiting = new Set<() => void>()
  return {
    notify: () => {
      const woken = [...waiting]
      waiting.clear()
      for (const happened of woken) happened()
    },
    subscribe: (happened) => {
      waiting.add(happened)
      return () => void waiting.delete(happened)
    }
  }
}

/** What the pipeline knows of the environment that a request is for. */
export interface EnvironmentCore {
  readonly switches: Switches
  /** The maker's word in wire identifiers. */
  readonly vendor: string
  readonly now: () => number
  readonly state: () => EnvironmentState
  readonly write: (change: (state: EnvironmentState) => EnvironmentState) => void
  readonly journal: RecordingJournal
  readonly interferer: Interferer
  /** Notified whenever a key is no longer in flight. */
  readonly keys: Signal
  /** Ids that a request names, that are unknown here and belong to another environment. */
  readonly leaks: (route: Route, request: FakeRequest, body: unknown) => ReadonlyArray<Leak>
}
