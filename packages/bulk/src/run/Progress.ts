/**
 * Progress of a run, to show it while the run works.
 */
import * as Context from "effect/Context"
import type { OutcomeCounts } from "../journal/LineStates.ts"

/** The reason why a run waits. */
export interface Waiting {
  /** `RateLimited`, or the tag of the reason for which the service is not available. */
  readonly reason: string
  /** When the run continues, in milliseconds since 1970. */
  readonly until: number
}

/** Progress of a run. */
export interface Progress {
  /** Id of the run. */
  readonly id: string
  /** Path of its journal. */
  readonly journal: string
  /** Lines of the run; of an export `undefined`, because the service does not say how many events there are. */
  readonly total: number | undefined
  /** Lines by outcome; of an export, events that were written count as succeeded. */
  readonly counts: OutcomeCounts
  /** Lines, or events, a second, over the last ten seconds; 0 before the first one. */
  readonly perSecond: number
  /** Time left at this rate, in milliseconds; `undefined` while it cannot be estimated. */
  readonly timeLeftMs: number | undefined
  /** The reason for waiting; `undefined` while the run works. */
  readonly waiting: Waiting | undefined
}

/**
 * Receives the progress of runs, five times a second; must not throw.
 *
 * @example
 * ```ts
 * import * as Effect from "effect/Effect"
 * import { ProgressObserver, startImport } from "@signalbox/bulk"
 *
 * const lines: Array<string> = []
 * const program = startImport({ input: "tokens.ndjson" }).pipe(
 *   Effect.provideService(ProgressObserver, ({ counts, total }) => lines.push(`${counts.succeeded} of ${total}`))
 * )
 * ```
 */
export const ProgressObserver = Context.Reference<((progress: Progress) => void) | undefined>(
  "signalbox/bulk/ProgressObserver",
  { defaultValue: () => undefined }
)

const windowMs = 10_000

/** Makes a function that estimates the rate of a run from its counts over the last ten seconds, and the time left. */
export const makeEstimate = () => {
  const samples: Array<{ readonly at: number; readonly done: number }> = []
  return (
    { counts, total }: Pick<Progress, "counts" | "total">,
    at: number
  ): Pick<Progress, "perSecond" | "timeLeftMs"> => {
    const done = Object.values(counts).reduce((sum, count) => sum + count, 0)
    samples.push({ at, done })
    while (samples.length > 2 && at - (samples[0]?.at ?? at) > windowMs) samples.shift()
    const first = samples[0]
    const perSecond = first === undefined || at <= first.at ? 0 : ((done - first.done) * 1000) / (at - first.at)
    const timeLeftMs = total === undefined || perSecond <= 0 ? undefined : ((total - done) * 1000) / perSecond
    return { perSecond, timeLeftMs }
  }
}
