/**
 * Time that passes only when nothing else can run: the timers of the platform, and the clock of a fake, on one manual
 * clock. Chance is fixed too, so that a run can be repeated.
 */
import { manualClock, type ManualClock } from "../clock/ManualClock.ts"
import * as Random from "../random/Random.ts"

/** The outcome of a function that ran on virtual time, and how many timers keep the process running when it ends. */
export type VirtualRun<Value> = { readonly timersLeft: number } & (
  | { readonly _tag: "Returned"; readonly value: Value }
  | { readonly _tag: "Threw"; readonly error: unknown }
  /** It waits for something that never happens, or longer than an hour. */
  | { readonly _tag: "Hung" }
)

const maxMs = 3_600_000

/** When virtual time starts, unless a run says otherwise. */
export const virtualStart = "2026-01-01T00:00:00.000Z"

type Callback = (...input: ReadonlyArray<unknown>) => void

interface Timer {
  readonly cancel: () => void
  readonly ref: () => Timer
  readonly unref: () => Timer
  readonly hasRef: () => boolean
  readonly refresh: () => Timer
  readonly [Symbol.toPrimitive]: () => number
}

/** Turns of the event loop in which nothing of the program may run: a body that is read as a stream takes some. */
const quietTurns = 5

/** More turns than a program takes before it waits; one that polls in every turn never waits. */
const maxTurns = 1_000

type SetImmediate = (callback: Callback, ...input: ReadonlyArray<unknown>) => unknown

/** Counts the callbacks that wait for the next turn of the event loop, where the platform has such callbacks. */
const installImmediates = (): { readonly waiting: () => number; readonly restore: () => void } => {
  const { clearImmediate, setImmediate } = globalThis as Partial<typeof globalThis>
  const waiting = new Set<unknown>()
  if (clearImmediate === undefined || setImmediate === undefined) return { waiting: () => 0, restore: () => {} }
  const counted: SetImmediate = (callback, ...input) => {
    const immediate = setImmediate(() => {
      waiting.delete(immediate)
      callback(...input)
    })
    waiting.add(immediate)
    return immediate
  }
  // The result of `util.promisify` is a property.
  Object.defineProperties(counted, Object.getOwnPropertyDescriptors(setImmediate))
  Object.assign(globalThis, {
    setImmediate: counted,
    clearImmediate: (immediate: NodeJS.Immediate | undefined) => {
      waiting.delete(immediate)
      clearImmediate(immediate)
    }
  })
  return {
    waiting: () => waiting.size,
    restore: () => void Object.assign(globalThis, { clearImmediate, setImmediate })
  }
}

/** Runs until nothing can run without a timer: microtasks, and the turns of the event loop that they lead to. */
const makeIdle = (): ((waiting: () => number) => Promise<void>) => {
  const immediate = globalThis.setImmediate as ((callback: () => void) => unknown) | undefined
  const turn = (): Promise<void> =>
    new Promise((resolve) => {
      if (immediate !== undefined) return void immediate(resolve)
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener("message", () => {
        port1.close()
        resolve()
      })
      port1.start()
      port2.postMessage(undefined)
    })
  return async (waiting) => {
    let quiet = 0
    for (let count = 0; quiet < quietTurns && count < maxTurns; count += 1) {
      await turn()
      quiet = waiting() === 0 ? quiet + 1 : 0
    }
  }
}

/** Replaces the high-resolution time of Node, if there is one; returns a function that restores it. */
const installHrtime = (nowMs: () => number): (() => void) => {
  const hrtime = globalThis.process?.hrtime as NodeJS.HRTime | undefined
  if (hrtime === undefined) return () => {}
  const { bigint } = hrtime
  // In place, because libraries keep the object.
  hrtime.bigint = () => BigInt(Math.round(nowMs() * 1_000_000))
  return () => void (hrtime.bigint = bigint)
}

/** The platform while it runs on virtual time. */
interface Installed {
  /** Callbacks that run in the next turn of the event loop. */
  readonly waiting: () => number
  readonly timersLeft: () => number
  readonly restore: () => void
}

/** Replaces timers, time and chance of the platform. */
const install = (clock: ManualClock): Installed => {
  const { clearInterval, clearTimeout, Date: RealDate, setInterval, setTimeout } = globalThis
  const { timeout } = AbortSignal
  const now = performance.now.bind(performance)
  const { random } = Math
  const start = clock.now()
  const timers = new Map<number, Timer>()
  let numbers = 0

  const schedule = (delayMs: number | undefined, callback: () => void, repeats: boolean): Timer => {
    numbers += 1
    const number = numbers
    let cancel = () => {}
    const set = () => {
      // Timers of the platform have whole milliseconds.
      cancel = clock.schedule(Math.max(repeats ? 1 : 0, Math.trunc(Number(delayMs) || 0)), () => {
        if (repeats) set()
        else timers.delete(number)
        callback()
      })
    }
    set()
    let isRef = true
    const timer: Timer = {
      cancel: () => {
        timers.delete(number)
        cancel()
      },
      ref: () => {
        isRef = true
        return timer
      },
      unref: () => {
        isRef = false
        return timer
      },
      hasRef: () => isRef,
      refresh: () => {
        cancel()
        set()
        return timer
      },
      [Symbol.toPrimitive]: () => number
    }
    timers.set(number, timer)
    return timer
  }
  const clear = (timer: Timer | number | undefined): void => {
    const known = typeof timer === "number" ? timers.get(timer) : timer
    known?.cancel()
  }

  class VirtualDate extends RealDate {
    constructor(...input: ReadonlyArray<unknown>) {
      // `Date` takes any of its forms.
      super(...((input.length === 0 ? [clock.now()] : input) as [number]))
    }
    static override now(): number {
      return clock.now()
    }
  }

  Object.assign(globalThis, {
    setTimeout: (callback: Callback, delayMs?: number, ...input: ReadonlyArray<unknown>) =>
      schedule(delayMs, () => callback(...input), false),
    setInterval: (callback: Callback, delayMs?: number, ...input: ReadonlyArray<unknown>) =>
      schedule(delayMs, () => callback(...input), true),
    clearTimeout: clear,
    clearInterval: clear,
    Date: VirtualDate
  })
  performance.now = () => clock.now() - start
  const restoreHrtime = installHrtime(performance.now)
  const immediates = installImmediates()
  // A random backoff is the same in every run of the same test.
  Math.random = Random.stream(1)
  AbortSignal.timeout = (delayMs) => {
    const controller = new AbortController()
    const message = "The operation was aborted due to timeout"
    schedule(delayMs, () => controller.abort(new DOMException(message, "TimeoutError")), false).unref()
    return controller.signal
  }
  return {
    waiting: immediates.waiting,
    timersLeft: () => [...timers.values()].filter((timer) => timer.hasRef()).length,
    restore: () => {
      Object.assign(globalThis, { clearInterval, clearTimeout, Date: RealDate, setInterval, setTimeout })
      AbortSignal.timeout = timeout
      performance.now = now
      restoreHrtime()
      immediates.restore()
      Math.random = random
    }
  }
}

/**
 * Runs a function on virtual time, with the clock that its fake should use. The timers of the whole process are replaced
 * meanwhile, so run one at a time.
 */
export const runOnVirtualTime = async <Value>(
  startsAt: string,
  run: (clock: ManualClock) => Promise<Value> | Value
): Promise<VirtualRun<Value>> => {
  const clock: ManualClock = { ...manualClock(startsAt), isStopped: false }
  const startedAt = clock.now()
  const idle = makeIdle()
  const { restore, timersLeft, waiting } = install(clock)
  let result: VirtualRun<Value> | undefined
  try {
    const start = async (): Promise<void> => {
      try {
        const value = await run(clock)
        result = { _tag: "Returned", value, timersLeft: timersLeft() }
      } catch (error) {
        result = { _tag: "Threw", error, timersLeft: timersLeft() }
      }
    }
    void start()
    for (;;) {
      await idle(waiting)
      if (result !== undefined) return result
      if (!clock.runNext() || clock.now() - startedAt > maxMs) return { _tag: "Hung", timersLeft: timersLeft() }
    }
  } finally {
    restore()
  }
}
