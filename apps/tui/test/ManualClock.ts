import type { Clock } from "../src/runtime/Clock.ts"
import { now } from "./Sample.ts"

/** A clock that stops until it is moved; events on the way run at their own time. */
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
