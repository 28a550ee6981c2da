/** The current time and timers. Tests use a clock that they control. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Calls `run` once after `milliseconds`. Call the returned function to cancel. */
  readonly after: (milliseconds: number, run: () => void) => () => void
}

/** The system clock. */
export const systemClock: Clock = {
  now: Date.now,
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  }
}
