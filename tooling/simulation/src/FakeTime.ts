/**
 * Runs programs of promises on virtual time, and counts their unhandled rejections.
 */
import type { FakeClock } from "@signalbox/test-harness"
import { runOnVirtualTime } from "@signalbox/test-harness/internal/time/VirtualTime"
import { horizon, longestMs, start } from "./VirtualTime.ts"

/** Whether a program finished, and what it left behind. */
export interface Leftovers {
  /** Whether the program itself finished. */
  readonly isSettled: boolean
  /** Promises that rejected without a handler. */
  readonly rejections: number
  /** Timers that were running at its end. */
  readonly timers: number
}

/** Findings about what a program left behind. */
export const wrongLeftovers = ({ isSettled, rejections, timers }: Leftovers): ReadonlyArray<string> => [
  ...(isSettled ? [] : ["never ended"]),
  ...(timers > 0 ? [`left ${timers} timers running`] : []),
  ...(rejections > 0 ? [`left ${rejections} rejections unhandled`] : [])
]

/** Turns of the event loop in which promises and Effect's scheduler finish what needs no time. */
const turns = 6

/** Lets everything run that needs no time. */
export const settleTurns = async (): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/**
 * Runs a program to its end with the clock of its service, and then lets the service finish its own work. A program that
 * never ends has no result.
 */
export const inFakeTime = async <Result>(
  seed: number,
  program: (clock: FakeClock) => Promise<Result>
): Promise<{ readonly leftovers: Leftovers; readonly result: Result | undefined }> => {
  let rejections = 0
  const onRejection = () => {
    rejections += 1
  }
  process.on("unhandledRejection", onRejection)
  try {
    let finish = async (): Promise<void> => {}
    const run = await runOnVirtualTime(
      start,
      (clock) => {
        finish = () => clock.advanceAsync(horizon)
        return program(clock)
      },
      { seed, longestMs }
    )
    await finish()
    await settleTurns()
    if (run._tag === "Threw") throw run.error
    const isSettled = run._tag === "Returned"
    return { leftovers: { isSettled, rejections, timers: run.timersLeft }, result: isSettled ? run.value : undefined }
  } finally {
    process.off("unhandledRejection", onRejection)
  }
}
