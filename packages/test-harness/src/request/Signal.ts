/** Calls each waiting listener once. */
export interface Signal {
  readonly notify: () => void
  /** Returns a function that stops waiting. */
  readonly subscribe: (happened: () => void) => () => void
  /** How often it fired. */
  readonly times: () => number
}

export const makeSignal = (): Signal => {
  const waiting = new Set<() => void>()
  let times = 0
  return {
    notify: () => {
      times += 1
      // A listener may wait again for the next time, and may remove other listeners.
      const woken = [...waiting]
      for (const happened of woken) if (waiting.delete(happened)) happened()
    },
    subscribe: (happened) => {
      waiting.add(happened)
      return () => void waiting.delete(happened)
    },
    times: () => times
  }
}
