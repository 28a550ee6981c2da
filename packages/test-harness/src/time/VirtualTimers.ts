/**
 * Timers on a manual clock, in the forms in which platforms have them.
 */
import type { ManualClock } from "../clock/ManualClock.ts"

/** A timer: an object as in Node, which converts to its number as in a browser. */
export interface VirtualTimer {
  readonly close: () => VirtualTimer
  readonly ref: () => VirtualTimer
  readonly unref: () => VirtualTimer
  readonly hasRef: () => boolean
  readonly refresh: () => VirtualTimer
  readonly [Symbol.toPrimitive]: () => number
  readonly [Symbol.dispose]: () => void
}

export interface VirtualTimers {
  readonly set: (delayMs: unknown, callback: () => void, repeats?: boolean) => VirtualTimer
  /** Cancels a timer, or the one of a number; returns false if it is of the platform. */
  readonly clear: (timer: unknown) => boolean
  /** How many timers keep the process running. */
  readonly left: () => number
}

/** The longest delay of a timer; platforms replace a longer one by the shortest. */
const longestMs = 2 ** 31 - 1

/** Timers of the platform have whole milliseconds. */
const wholeMs = (delayMs: unknown, repeats: boolean): number => {
  const whole = Math.max(0, Math.trunc(Number(delayMs) || 0))
  const shortest = repeats ? 1 : 0
  return whole > longestMs ? 1 : Math.max(shortest, whole)
}

/** Numbers of timers start here, above those that the platform has given to its own. */
const firstNumber = 1_000_000_000

export const virtualTimers = (clock: ManualClock): VirtualTimers => {
  const timers = new Map<number, VirtualTimer>()
  const known = new WeakSet<object>()
  let numbers = firstNumber
  return {
    set: (delayMs, callback, repeats = false) => {
      numbers += 1
      const number = numbers
      let cancel = (): void => {}
      const start = (): void => {
        timers.set(number, timer)
        cancel = clock.schedule(wholeMs(delayMs, repeats), () => {
          if (repeats) start()
          else timers.delete(number)
          callback()
        })
      }
      let isRef = true
      const close = (): VirtualTimer => {
        timers.delete(number)
        cancel()
        return timer
      }
      const timer: VirtualTimer = {
        close,
        ref: () => {
          isRef = true
          return timer
        },
        unref: () => {
          isRef = false
          return timer
        },
        hasRef: () => isRef,
        refresh: () => {
          cancel()
          start()
          return timer
        },
        [Symbol.toPrimitive]: () => number,
        [Symbol.dispose]: () => void close()
      }
      known.add(timer)
      start()
      return timer
    },
    clear: (timer) => {
      if (typeof timer === "object" && timer !== null) {
        if (!known.has(timer)) return false
        // Only timers are known.
        ;(timer as VirtualTimer).close()
        return true
      }
      const numbered = typeof timer === "number" || typeof timer === "string" ? timers.get(Number(timer)) : undefined
      numbered?.close()
      return numbered !== undefined
    },
    left: () => [...timers.values()].filter((timer) => timer.hasRef()).length
  }
}
