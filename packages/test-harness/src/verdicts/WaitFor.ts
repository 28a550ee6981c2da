import * as Schema from "effect/Schema"
import { inputCheck, integer } from "../input/Input.ts"
import type { JournalEntry } from "../journal/JournalEntry.ts"
import type { WatchedEnvironment } from "./Timeline.ts"
import { UnmetExpectation } from "./UnmetExpectation.ts"
import { type Verdict, verdicts } from "./Verdict.ts"

/** The view of an environment that a condition has. */
export interface Seen {
  /** The requests in the journal, oldest first. */
  readonly requests: ReadonlyArray<JournalEntry>
  /** The verdict on each call. */
  readonly verdicts: ReadonlyArray<Verdict>
}

/** The timeout of a wait. */
export interface WaitOptions {
  /** At most 2,147,483,647. Default 1,000. */
  readonly timeoutMs?: number
}

// Longer timers of the platform fire at once.
const longestTimeoutMs = 2 ** 31 - 1

const checkOptions = inputCheck("expectFake.waitFor", () =>
  Schema.Struct({ timeoutMs: Schema.optionalKey(integer(0, longestTimeoutMs)) })
)

export const timeoutOf = (options: WaitOptions): number => {
  checkOptions(options)
  return options.timeoutMs ?? 1_000
}

const seenOf = ({ journal }: WatchedEnvironment): Seen => ({
  requests: journal.entries(),
  get verdicts() {
    return verdicts(journal)
  }
})

/** Called once: when the condition is met, or with the error that it throws. */
interface Waiting {
  readonly reached: () => void
  readonly failed: (error: unknown) => void
}

/** Calls back when the condition is met, possibly at once; returns a function that stops waiting. */
export const whenSeen = (
  watched: WatchedEnvironment,
  predicate: (seen: Seen) => boolean,
  waiting: Waiting
): (() => void) => {
  let stop = () => {}
  // An error of the condition must not reach the request that changed the journal.
  const look = () => {
    try {
      if (!predicate(seenOf(watched))) return
    } catch (error) {
      stop()
      return waiting.failed(error)
    }
    stop()
    waiting.reached()
  }
  stop = watched.journal.subscribe(look)
  look()
  return stop
}

/** The error of a condition that was not met in time. */
export const unmet = (watched: WatchedEnvironment, timeoutMs: number): UnmetExpectation =>
  new UnmetExpectation(watched, {
    message: `the condition was not met within ${timeoutMs} ms`,
    requests: []
  })

export const waitForPromise = (
  watched: WatchedEnvironment,
  predicate: (seen: Seen) => boolean,
  options: WaitOptions
): Promise<void> =>
  new Promise((resolve, reject) => {
    const timeoutMs = timeoutOf(options)
    let stop = () => {}
    const timer = setTimeout(() => {
      stop()
      reject(unmet(watched, timeoutMs))
    }, timeoutMs)
    stop = whenSeen(watched, predicate, {
      reached: () => {
        clearTimeout(timer)
        resolve()
      },
      failed: (error) => {
        clearTimeout(timer)
        reject(error)
      }
    })
  })
