/**
 * The clock of an environment: it dates records and responses, runs jobs, and measures latency, rate windows and how long
 * responses are kept for their keys.
 */

/** Cancels what was scheduled. */
export interface Cancel {
  (): void
  /** Lets the process exit before it happens: no caller is waiting for it. */
  readonly release?: () => void
}

/** A source of time. */
export interface FakeClock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Calls back after this many milliseconds; returns a function that cancels. */
  readonly schedule: (millis: number, callback: () => void) => Cancel
  /** Whether time passes only when the caller moves it, which may wait for a response. */
  readonly isStopped?: boolean
}

/** The longest that timers can wait; longer timers fire at once. */
const longestTimer = 2 ** 31 - 1

// In browsers a timer is a number, and no process waits for it.
const unref = (timer: ReturnType<typeof setTimeout>): void => {
  if (typeof timer === "object") timer.unref()
}

/** The time of the machine. */
export const realClock: FakeClock = {
  now: () => Date.now(),
  schedule: (millis, callback) => {
    let isReleased = false
    const wait = (left: number): ReturnType<typeof setTimeout> => {
      const next = setTimeout(
        () => {
          if (left <= longestTimer) callback()
          else timer = wait(left - longestTimer)
        },
        Math.min(left, longestTimer)
      )
      if (isReleased) unref(next)
      return next
    }
    let timer = wait(millis)
    const release = () => {
      isReleased = true
      unref(timer)
    }
    return Object.assign(() => clearTimeout(timer), { release })
  }
}

// The platform's own: libraries that fake timers may replace it.
const immediate: ((callback: () => void) => unknown) | undefined = globalThis.setImmediate

/** Runs a callback after all code that can continue has continued: unlike timers, no library fakes a posted message. */
export const whenPosted = (callback: () => void): void => {
  const { port1, port2 } = new MessageChannel()
  port1.addEventListener("message", () => {
    port1.close()
    callback()
  })
  port1.start()
  port2.postMessage(undefined)
}

/** Runs a callback in the next turn of the event loop. */
export const nextTurn = (callback: () => void): void => {
  if (immediate === undefined) whenPosted(callback)
  else immediate(callback)
}

// More than a client takes to send requests that it sends at the same time.
const manyTurns = 1_000

/** Calls back after many turns of the event loop, without any clock; returns a function that cancels. */
export const afterTurns = (callback: () => void): Cancel => {
  let left = manyTurns
  let isCanceled = false
  const turn = () => {
    if (isCanceled) return
    left -= 1
    if (left === 0) callback()
    else nextTurn(turn)
  }
  nextTurn(turn)
  return () => {
    isCanceled = true
  }
}

/** A clock ahead of another one by this many milliseconds. */
export const ahead = (clock: FakeClock, millis: number): FakeClock => ({
  now: () => clock.now() + millis,
  schedule: clock.schedule,
  ...(clock.isStopped === true ? { isStopped: true } : {})
})
