/**
 * Time that passes only when nothing else can run: the timers of the platform, and the clock of a fake, on one manual
 * clock. Chance is fixed too, so that a run can be repeated.
 */
import { manualClock, type ManualClock } from "../clock/ManualClock.ts"
import * as Random from "../state/Random.ts"

/** The outcome of a function that ran on virtual time. */
export type VirtualRun<Value> =
  | { readonly _tag: "Returned"; readonly value: Value }
  | { readonly _tag: "Threw"; readonly error: unknown }
  /** It waits for something that never happens, or longer than an hour. */
  | { readonly _tag: "Hung" }

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

/** Runs until nothing can run without a timer: microtasks, and the turns of the event loop that they lead to. */
const makeIdle = (): (() => Promise<void>) => {
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
  return async () => {
    // A body that is read as a stream takes some turns.
    for (let count = 0; count < 5; count += 1) await turn()
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

/** Replaces timers, time and chance of the platform; returns a function that restores them. */
const install = (clock: ManualClock): (() => void) => {
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
    const timer: Timer = {
      cancel: () => {
        timers.delete(number)
        cancel()
      },
      ref: () => timer,
      unref: () => timer,
      hasRef: () => true,
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
  // A random backoff is the same in every run of the same test.
  Math.random = Random.stream(1)
  AbortSignal.timeout = (delayMs) => {
    const controller = new AbortController()
    const message = "The operation was aborted due to timeout"
    schedule(delayMs, () => controller.abort(new DOMException(message, "TimeoutError")), false)
    return controller.signal
  }
  return () => {
    Object.assign(globalThis, { clearInterval, clearTimeout, Date: RealDate, setInterval, setTimeout })
    AbortSignal.timeout = timeout
    performance.now = now
    restoreHrtime()
    Math.random = random
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
  const clock = manualClock(startsAt)
  const begin = clock.now()
  const idle = makeIdle()
  const restore = install(clock)
  let result: VirtualRun<Value> | undefined
  try {
    const start = async (): Promise<void> => {
      try {
        result = { _tag: "Returned", value: await run(clock) }
      } catch (error) {
        result = { _tag: "Threw", error }
      }
    }
    void start()
    for (;;) {
      await idle()
      if (result !== undefined) return result
      if (!clock.runNext() || clock.now() - begin > maxMs) return { _tag: "Hung" }
    }
  } finally {
    restore()
  }
}
