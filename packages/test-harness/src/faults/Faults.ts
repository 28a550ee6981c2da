/**
 * The faults that are armed in an environment.
 */
import type { Interferer } from "../request/Interference.ts"
import type { Fault } from "./Fault.ts"

/** A fault that waits for its requests. Disposing it takes it away. */
export interface ArmedFault extends Disposable {
  readonly fault: Fault
  /** How often it has happened. */
  readonly fired: () => number
}

/** The faults of an environment. */
export interface Faults {
  /** Arms a fault. */
  readonly add: (fault: Fault) => ArmedFault
  /** Those that are armed, in order of arming. */
  readonly armed: () => ReadonlyArray<ArmedFault>
  /** Takes all of them away. */
  readonly clear: () => void
}

/** Makes an empty set of faults, whose chances come from a seed. */
export const makeFaults = (_seed: number): Faults & Interferer => ({
  add: () => {
    throw new RangeError("faults: not yet")
  },
  armed: () => [],
  clear: () => {},
  next: () => undefined
})
