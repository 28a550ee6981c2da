/**
 * Something that happens again and again, and those who wait for the next time.
 */

/** Wakes those who wait, once. */
export interface Signal {
  readonly notify: () => void
  /** Gives the function that stops waiting. */
  readonly subscribe: (happened: () => void) => () => void
  /** How often it fired. */
  readonly times: () => number
}

/** Makes a signal that nobody waits for. */
export const makeSignal = (): Signal => {
  const waiting = new Set<() => void>()
  let times = 0
  return {
    notify: () => {
      times += 1
      // Who is woken may wait again, for the next time; and may stop others from waiting.
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
