/** The time and waiting for it; tests bring a clock that they move. */
export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Runs once after so many milliseconds, unless the returned function is called before. */
  readonly after: (milliseconds: number, run: () => void) => () => void
}

/** The clock of the machine. */
export const systemClock: Clock = {
  now: Date.now,
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  }
}
