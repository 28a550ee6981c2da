import * as EnvironmentState from "../state/EnvironmentState.ts"
import * as EventLog from "../state/EventLog.ts"
import * as Random from "../random/Random.ts"
import { makeSignal, type Signal } from "../request/Signal.ts"
import { settle } from "../trigger/Settle.ts"
import { makeDemoState } from "./DemoState.ts"
import type { EnvironmentSettings } from "./EnvironmentOptions.ts"

/** The state of an environment, and the ways to replace it. */
export interface StateStore {
  readonly now: () => number
  readonly state: () => EnvironmentState.EnvironmentState
  /** The state after the jobs that became due since the last request. */
  readonly settled: () => EnvironmentState.EnvironmentState
  /** The state, or `undefined` if it was never used: initial data are made when they are first needed. */
  readonly used: () => EnvironmentState.EnvironmentState | undefined
  /** The time of the newest event in a state that was used. */
  readonly newest: () => number | undefined
  readonly write: (change: (state: EnvironmentState.EnvironmentState) => EnvironmentState.EnvironmentState) => void
  /** Returns to the initial state, or to another one that is the initial state from then on. */
  readonly reset: (initial?: EnvironmentState.EnvironmentState) => void
  /** Fires at each reset, so that requests in flight cannot change what replaces the state. */
  readonly resets: Signal
}

/** Makes the store of an environment whose ids come from `idSeed`. */
export const makeStateStore = (
  { data, events, organization, seed }: EnvironmentSettings,
  idSeed: number,
  now: () => number
): StateStore => {
  let first: EnvironmentState.EnvironmentState | undefined
  let current: EnvironmentState.EnvironmentState | undefined
  const resets = makeSignal()

  const initial = (): EnvironmentState.EnvironmentState => {
    const state =
      data === "demo" ? makeDemoState({ seed, idSeed, now: now(), events }) : EnvironmentState.empty(seed, idSeed)
    return organization === undefined
      ? state
      : { ...state, organizationId: Random.objectId(Random.hash(organization), "organization", 1) }
  }
  const state = () => {
    first ??= initial()
    current ??= first
    return current
  }
  const write: StateStore["write"] = (change) => {
    current = change(state())
  }
  return {
    now,
    state,
    settled: () => {
      write((known) => settle(known, now()))
      return state()
    },
    used: () => current,
    newest: () => (current === undefined ? undefined : EventLog.newest(current.events)),
    write,
    reset: (replacement = first) => {
      first = replacement
      current = first
      resets.notify()
    },
    resets
  }
}
