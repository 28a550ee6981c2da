/**
 * A clock that stands until a test moves it.
 */
import type { FakeClock } from "./FakeClock.ts"

interface Alarm {
  readonly at: number
  readonly callback: () => void
}

/**
 * A clock that stands until a test moves it.
 *
 * **When to use**: give it to an environment to test what happens after hours, such as a digest or an expired key,
 * without waiting. It moves the time of the service only: over `fetch` and HTTP the client has timers of its own.
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
  /** Lets so many milliseconds pass; what is due on the way happens at its own time, in order. */
  readonly advance: (millis: number) => void
  /** Goes on to a point in time: milliseconds since 1970, a date, or ISO text. It never goes back. */
  readonly set: (time: number | Date | string) => void
}

const millisOf = (time: number | Date | string): number => {
  const millis = typeof time === "number" ? time : new Date(time).getTime()
  if (Number.isFinite(millis)) return millis
  throw new RangeError(`clock: ${JSON.stringify(time)} is no point in time; give milliseconds, a Date or ISO text`)
}

/** Whether a clock is moved by hand. */
export const isManualClock = (clock: FakeClock): clock is ManualClock => "advance" in clock

/**
 * Makes a clock that stands at a point in time.
 *
 * @throws RangeError when a time is no time, or lies before the time that the clock shows.
 */
export const manualClock = (start: number | Date | string = "2026-01-01T00:00:00.000Z"): ManualClock => {
  let current = millisOf(start)
  let alarms: ReadonlyArray<Alarm> = []

  const goTo = (target: number): void => {
    if (target < current) throw new RangeError(`clock: cannot go back from ${current} to ${target}`)
    for (;;) {
      const due = alarms.find(({ at }) => at <= target)
      if (due === undefined) break
      alarms = alarms.filter((alarm) => alarm !== due)
      current = Math.max(current, due.at)
      due.callback()
    }
    current = target
  }

  return {
    now: () => current,
    schedule: (millis, callback) => {
      const alarm = { at: current + millis, callback }
      alarms = [...alarms, alarm].toSorted((one, other) => one.at - other.at)
      return () => {
        alarms = alarms.filter((known) => known !== alarm)
      }
    },
    advance: (millis) => {
      if (!(millis >= 0)) throw new RangeError(`clock: advance takes milliseconds from 0, not ${millis}`)
      goTo(current + millis)
    },
    set: (time) => goTo(millisOf(time))
  }
}
