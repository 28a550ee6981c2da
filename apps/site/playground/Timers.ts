/**
 * The timers of a program, so that its end is known.
 */

/** A program that starts timers again and again is left alone after this time. */
const longestWaitMs = 20_000

type Callback = (...values: ReadonlyArray<unknown>) => void

/** Timers that are counted; `ended` waits for them, those of `setInterval` included. */
export const trackTimers = () => {
  const pending = new Set<number>()
  const start = globalThis.setTimeout.bind(globalThis)
  const repeat = globalThis.setInterval.bind(globalThis)
  const stop = globalThis.clearTimeout.bind(globalThis)
  const clear = (timer?: number) => {
    if (timer !== undefined) pending.delete(timer)
    stop(timer)
  }
  return {
    functions: {
      setTimeout: (callback: Callback, delay?: number, ...values: ReadonlyArray<unknown>) => {
        const timer = Number(
          start(() => {
            pending.delete(timer)
            callback(...values)
          }, delay)
        )
        pending.add(timer)
        return timer
      },
      setInterval: (callback: Callback, delay?: number, ...values: ReadonlyArray<unknown>) => {
        const timer = Number(repeat(() => callback(...values), delay))
        pending.add(timer)
        return timer
      },
      clearTimeout: clear,
      clearInterval: clear
    },
    ended: async (): Promise<boolean> => {
      const until = performance.now() + longestWaitMs
      while (pending.size > 0 && performance.now() < until) await new Promise((resolve) => start(resolve, 10))
      return pending.size === 0
    }
  }
}
