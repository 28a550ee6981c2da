import type { Clock } from "../src/runtime/Clock.ts"
import { now } from "./Sample.ts"

/** A clock that stands still until it is moved; what is due on the way runs at its own time. */
export interface ManualClock extends Clock {
  readonly pass: (milliseconds: number) => void
  /** How many things wait for it. */
  readonly waiting: () => number
}

/** A clock that begins at the time of every test. */
export const makeManualClock = (): ManualClock => {
  let time = now
  const due = new Set<{ readonly at: number; readonly run: () => void }>()
  const pass = (milliseconds: number): void => {
    const end = time + milliseconds
    for (;;) {
      const [next] = Array.from(due).sort((a, b) => a.at - b.at)
      if (next === undefined || next.at > end) break
      due.delete(next)
      time = next.at
      next.run()
    }
    time = end
  }
  return {
    now: () => time,
    after: (milliseconds, run) => {
      const entry = { at: time + milliseconds, run }
      due.add(entry)
      return () => void due.delete(entry)
    },
    pass,
    waiting: () => due.size
  }
}
