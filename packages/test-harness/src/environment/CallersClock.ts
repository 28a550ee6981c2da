import { ahead, type FakeClock, realClock } from "../clock/FakeClock.ts"

export interface CallersClock {
  readonly clock: () => FakeClock
  /** Uses the clock of a caller from now on, unless the environment was created with one. Its events stay in its past. */
  readonly adopt: (callers: FakeClock, newest: number | undefined) => void
}

/** Makes the clock of an environment that was created with a clock, or without. */
export const makeCallersClock = (own: FakeClock | undefined): CallersClock => {
  let clock = own ?? realClock
  let adopted: FakeClock | undefined
  return {
    clock: () => clock,
    adopt: (callers, newest) => {
      if (own !== undefined || callers === adopted) return
      // A caller's clock often starts in 1970; events later than that would be in its future.
      clock = newest !== undefined && newest > callers.now() ? ahead(callers, clock.now() - callers.now()) : callers
      adopted = callers
    }
  }
}
