/**
 * Time that passes only when nothing else can run: the timers and clocks of the platform, and the clock of a fake, on one
 * manual clock. Chance is fixed too, so that a run can be repeated.
 */
import { nextTurn } from "../clock/FakeClock.ts"
import { manualClock, type ManualClock } from "../clock/ManualClock.ts"
import { type RealWork, recordRealWork, WaitsOnRealTime } from "./RealWork.ts"
import { installVirtualPlatform, nodeModules, type VirtualPlatform } from "./VirtualPlatform.ts"

/** The outcome of a function that ran on virtual time, and how many timers keep the process running when it ends. */
export type VirtualRun<Value> = { readonly timersLeft: number } & (
  | { readonly _tag: "Returned"; readonly value: Value }
  /** It threw, or it waits on a timer or a socket whose time is real. */
  | { readonly _tag: "Threw"; readonly error: unknown }
  /** It waits for something that never happens, or longer than a run may take; the error says which. */
  | { readonly _tag: "Hung"; readonly error: Error }
)

export interface VirtualOptions {
  /** The seed of `Math.random`. Default 1. */
  readonly seed?: number
  /** A run is stopped after this time, unless it has used fewer than 1,000 timers. Default an hour. */
  readonly longestMs?: number
}

/** When virtual time starts, unless a run says otherwise. */
export const virtualStart = "2026-01-01T00:00:00.000Z"

/** Turns of the event loop in which nothing of the program may run: a body that is read as a stream takes some. */
const quietTurns = 5

/** More turns than a program takes before it waits; one that polls in every turn never waits. */
const maxTurns = 1_000

/** At most this many timers cost little: a test that waits some hours is not stopped, one that polls forever is. */
const mostTimers = 1_000

const hour = 3_600_000

/** Whether the runtime reports what waits on real time, as only Node does. */
const reportsRealTime = (): boolean => {
  const versions: Readonly<Record<string, string | undefined>> =
    (globalThis.process as NodeJS.Process | undefined)?.versions ?? {}
  return versions["node"] !== undefined && versions["bun"] === undefined && versions["deno"] === undefined
}

/** Real time after which something that has not ended never does. */
const endsWithinMs = 1_000

/** The error of work that ends in real time, where the runtime does not report what it waits on. */
export const endsInRealTime = async (
  work: Promise<unknown>,
  later = globalThis.setTimeout
): Promise<WaitsOnRealTime | undefined> => {
  if (reportsRealTime()) return undefined
  const ends = await Promise.race([
    work.then(
      () => true,
      () => true
    ),
    new Promise<false>((resolve) => void later(() => resolve(false), endsWithinMs))
  ])
  return ends
    ? new WaitsOnRealTime(
        "the code under test waits on a real timer or socket: call the global `setTimeout`, and use the `fetch` of the fake"
      )
    : undefined
}

/** Another reason why something may not have ended, where the runtime does not report it. */
export const orRealTime = (): string => (reportsRealTime() ? "" : ", or it waits on a real timer or socket")

/** Why a test that waits for nothing that can happen did not finish. */
export const neverFinished = (): string => `the test never finished${orRealTime()}`

/** Real time that threads of the platform get for their work. */
const threadMs = 10_000

/** Makes a function that waits until nothing can run without a timer. */
const makeIdle = (): ((real: RealWork, platform: VirtualPlatform) => Promise<void>) => {
  const now = performance.now.bind(performance)
  const turn = (): Promise<void> => new Promise(nextTurn)
  return async ({ hasThreads, hasTurns }, { isComputing }) => {
    const until = now() + threadMs
    let quiet = 0
    for (let count = 0; quiet < quietTurns && count < maxTurns; count += 1) {
      await turn()
      while ((hasThreads() || isComputing()) && now() < until) await turn()
      quiet = hasTurns() ? 0 : quiet + 1
    }
  }
}

/**
 * Runs a function on virtual time, with the clock that its fake should use. The time of the whole process is replaced
 * meanwhile, so run one at a time.
 */
export const runOnVirtualTime = async <Value>(
  startsAt: string | number,
  run: (clock: ManualClock) => Promise<Value> | Value,
  { longestMs = hour, seed = 1 }: VirtualOptions = {}
): Promise<VirtualRun<Value>> => {
  const clock: ManualClock = { ...manualClock(startsAt), isStopped: false }
  const end = clock.now() + longestMs
  const real = recordRealWork(nodeModules().hooks)
  const idle = makeIdle()
  const later = globalThis.setTimeout
  const platform = installVirtualPlatform(clock, seed)
  const { restore, timersLeft } = platform
  let result: VirtualRun<Value> | undefined
  let timers = 0
  const hung = (why: string): VirtualRun<Value> => ({ _tag: "Hung", error: new Error(why), timersLeft: timersLeft() })
  const threw = (error: unknown): VirtualRun<Value> => ({ _tag: "Threw", error, timersLeft: timersLeft() })
  const start = async (): Promise<void> => {
    try {
      const value = await run(clock)
      result = { _tag: "Returned", value, timersLeft: timersLeft() }
    } catch (error) {
      result = threw(error)
    }
  }
  try {
    const work = real.record(start)
    for (;;) {
      await idle(real, platform)
      if (result !== undefined) return result
      const waitsOn = real.waitsOn()
      if (waitsOn !== undefined) return threw(waitsOn)
      if (!real.record(clock.runNext)) {
        const late = real.lastWaitsOn() ?? (await endsInRealTime(work, later))
        return late === undefined ? hung(neverFinished()) : threw(late)
      }
      timers += 1
      if (clock.now() > end && timers >= mostTimers) {
        return hung(`the test did not finish in ${longestMs / hour} h of virtual time and ${timers} timers`)
      }
    }
  } catch (error) {
    // A callback of a timer threw, which ends a process.
    return threw(error)
  } finally {
    restore()
    real.stop()
  }
}
