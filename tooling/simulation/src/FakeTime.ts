/**
 * Runs programs on virtual time that wait for promises of the platform: timers, `Date`, `performance` and `Math.random` are replaced while one runs.
 */
import { install, type Clock } from "@sinonjs/fake-timers"
import type { FakeClock } from "@signalbox/test-harness"
import { horizon, start } from "./VirtualTime.ts"

/** Whether a program finished, and its unhandled rejections. */
export interface Leftovers {
  /** Whether the program itself finished. */
  readonly isSettled: boolean
  /** Promises that rejected without a handler. */
  readonly rejections: number
}

/** A deterministic source of numbers from 0 to 1 (mulberry32). */
const randomFrom = (seed: number): (() => number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Turns of the event loop in which promises and Effect's scheduler finish what needs no time. */
const turns = 6

/** Lets everything run that needs no time. */
export const settleTurns = async (): Promise<void> => {
  for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const advance = async (clock: Clock, isSettled: () => boolean): Promise<void> => {
  // A program without timers gets a few more turns before it counts as stuck.
  for (let idle = 0; !isSettled() && idle < 10 && clock.now < start + horizon;) {
    await settleTurns()
    if (isSettled()) return
    if (clock.countTimers() > 0) clock.next()
    else idle += 1
  }
  await settleTurns()
}

/** The clock of a program. */
export interface FakeTime {
  /** Timers that are running now. */
  readonly timers: () => number
}

/** Runs a program to its end, and then lets the service finish its own work. */
export const inFakeTime = async (seed: number, program: (time: FakeTime) => Promise<void>): Promise<Leftovers> => {
  let rejections = 0
  const onRejection = () => {
    rejections += 1
  }
  process.on("unhandledRejection", onRejection)
  const { random } = Math
  Math.random = randomFrom(seed)
  const clock = install({ now: start, toFake: ["setTimeout", "clearTimeout", "Date", "performance"] })
  // The monotonic clock of Effect keeps the function that Node had when it was loaded.
  const { bigint } = process.hrtime
  process.hrtime.bigint = () => BigInt(Math.round(performance.now() * 1e6))
  try {
    let isSettled = false
    const running = program({ timers: () => clock.countTimers() }).finally(() => {
      isSettled = true
    })
    await advance(clock, () => isSettled)
    if (clock.countTimers() > 0) await clock.tickAsync(horizon)
    if (isSettled) await running
    else running.catch(() => {})
    return { isSettled, rejections }
  } finally {
    clock.uninstall()
    process.hrtime.bigint = bigint
    Math.random = random
    process.off("unhandledRejection", onRejection)
  }
}

/** A clock of the service that counts its own timers. */
export const makeServiceClock = (): { readonly clock: FakeClock; readonly timers: () => number } => {
  const running = new Set<ReturnType<typeof setTimeout>>()
  const clock: FakeClock = {
    now: () => Date.now(),
    schedule: (ms, callback) => {
      const timer = setTimeout(() => {
        running.delete(timer)
        callback()
      }, ms)
      running.add(timer)
      return () => {
        running.delete(timer)
        clearTimeout(timer)
      }
    }
  }
  return { clock, timers: () => running.size }
}
