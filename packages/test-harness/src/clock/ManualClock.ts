import { makeAlarms } from "./Alarms.ts"
import { type FakeClock, whenPosted } from "./FakeClock.ts"

/**
 * A clock that stops until a test moves it.
 *
 * **When to use**: give it to an environment to test what happens after hours, such as a digest or an expired key,
 * without waiting. It moves the time of the service only: over `fetch` and HTTP the client has its own timers.
 *
 * @example
 * ```ts
 * import { createFake, manualClock } from "@signalbox/test-harness"
 *
 * const clock = manualClock("2026-01-01T00:00:00Z")
 * const fake = createFake({ clock })
 * clock.advance(60_000)
 * ```
 */
export interface ManualClock extends FakeClock {
  /**
   * Advances by this many milliseconds; whatever is due meanwhile happens at its own time, in order. The last year is
   * 9999.
   */
  readonly advance: (millis: number) => void
  /**
   * The same, but after each event waits until the code that awaited it has continued: a request that follows a response
   * is sent at its own time.
   */
  readonly advanceAsync: (millis: number) => Promise<void>
  /** Moves to the next event and runs it; returns false if there is no next event. */
  readonly runNext: () => boolean
  /** Moves forward to a time: milliseconds since 1970, a `Date`, or an ISO string. Never moves back. */
  readonly set: (time: number | Date | string) => void
}

// Times in responses have years of four digits.
const earliest = Date.parse("0001-01-01T00:00:00.000Z")
const latest = Date.parse("9999-12-31T23:59:59.999Z")

const checkRange = (millis: number): void => {
  if (millis >= earliest && millis <= latest) return
  throw new RangeError(`clock: ${millis} milliseconds since 1970 is outside of the years 1 to 9999`)
}

const millisOf = (time: number | Date | string): number => {
  const millis = typeof time === "number" ? time : new Date(time).getTime()
  if (Number.isNaN(millis)) {
    const given = typeof time === "string" ? JSON.stringify(time) : String(time)
    throw new RangeError(`clock: ${given} is not a valid time; expected milliseconds since 1970 or an ISO time`)
  }
  checkRange(millis)
  return millis
}

const isoOf = (millis: number): string => new Date(millis).toISOString()

const checkedMillis = (what: "advance" | "schedule", millis: number): number => {
  if (typeof millis === "number" && millis >= 0) return millis
  throw new RangeError(`clock: ${what} must be milliseconds, 0 or more, not ${millis}`)
}

const othersGoOn = (): Promise<void> => new Promise(whenPosted)

export const isManualClock = (clock: FakeClock): clock is ManualClock => "advance" in clock

/**
 * Makes a clock that is stopped at a point in time.
 *
 * @throws RangeError when a time is invalid, outside of the years 1 to 9999, or before the current time of the clock.
 */
export const manualClock = (start: number | Date | string = "2026-01-01T00:00:00.000Z"): ManualClock => {
  let current = millisOf(start)
  const alarms = makeAlarms()

  const checkTarget = (target: number): void => {
    checkRange(target)
    if (target < current) throw new RangeError(`clock: cannot move back from ${isoOf(current)} to ${isoOf(target)}`)
  }

  /** Runs the first alarm that is due by a time; returns false if no alarm is due. */
  const happen = (target: number): boolean => {
    const due = alarms.take(target)
    if (due === undefined) return false
    current = Math.max(current, due.at)
    due.callback()
    return true
  }

  const goTo = (target: number): void => {
    checkTarget(target)
    while (happen(target));
    current = Math.max(current, target)
  }

  const goToAsync = async (target: number): Promise<void> => {
    checkTarget(target)
    await othersGoOn()
    while (happen(target)) await othersGoOn()
    current = Math.max(current, target)
    await othersGoOn()
  }

  return {
    isStopped: true,
    now: () => current,
    schedule: (millis, callback) => alarms.set(current + checkedMillis("schedule", millis), callback),
    advance: (millis) => goTo(current + checkedMillis("advance", millis)),
    advanceAsync: async (millis) => goToAsync(current + checkedMillis("advance", millis)),
    runNext: () => happen(latest),
    set: (time) => goTo(millisOf(time))
  }
}
