import { manualClock } from "../../src/index.ts"
import type { FakeClock } from "../../src/index.ts"

/** A clock that a program moves: to the next point at which something is due, and no further. */
export interface ProgramClock extends FakeClock {
  /** Lets this many milliseconds pass. */
  readonly advance: (millis: number) => void
  /** Goes to what is due next; false when nothing is. */
  readonly step: () => boolean
}

export const makeProgramClock = (): ProgramClock => {
  const clock = manualClock()
  const due = new Set<{ readonly at: number }>()
  return {
    now: clock.now,
    advance: clock.advance,
    schedule: (millis, callback) => {
      const alarm = { at: clock.now() + millis }
      due.add(alarm)
      const cancel = clock.schedule(millis, () => {
        due.delete(alarm)
        callback()
      })
      return () => {
        due.delete(alarm)
        cancel()
      }
    },
    step: () => {
      if (due.size === 0) return false
      clock.set(Math.min(...[...due].map(({ at }) => at)))
      return true
    }
  }
}
