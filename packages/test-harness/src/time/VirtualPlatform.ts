/**
 * The platform while it runs on virtual time: its timers, clocks and chance are replaced, on the global object and in the
 * modules of Node. Those are reached without an import, because other platforms lack them.
 */
import type { ManualClock } from "../clock/ManualClock.ts"
import * as Random from "../random/Random.ts"
import { type VirtualTimer, virtualTimers } from "./VirtualTimers.ts"

type Callback = (...input: ReadonlyArray<unknown>) => void

interface WaitOptions {
  readonly signal?: AbortSignal
  readonly ref?: boolean
}

type Wait = (delayMs?: number, value?: unknown, options?: WaitOptions) => Promise<unknown>

export const nodeModules = () => {
  const load = (globalThis.process as NodeJS.Process | undefined)?.getBuiltinModule
  return {
    timers: load?.("node:timers"),
    promises: load?.("node:timers/promises"),
    hooks: load?.("node:async_hooks"),
    /** Lets named imports see what was replaced. */
    sync: (): void => load?.("node:module")?.syncBuiltinESMExports()
  }
}

/** Replaces properties; returns a function that restores them. */
const replace = (target: object | undefined, values: Readonly<Record<PropertyKey, unknown>>): (() => void) => {
  if (target === undefined) return () => {}
  const before = Object.keys(values).map((name) => [name, Object.getOwnPropertyDescriptor(target, name)] as const)
  for (const [name, descriptor] of before) {
    const { enumerable = false } = descriptor ?? {}
    Object.defineProperty(target, name, { configurable: true, writable: true, enumerable, value: values[name] })
  }
  return () => {
    for (const [name, descriptor] of before) {
      if (descriptor === undefined) Reflect.deleteProperty(target, name)
      else Object.defineProperty(target, name, descriptor)
    }
  }
}

const virtualDate = (now: () => number): DateConstructor =>
  new Proxy(Date, {
    apply: (RealDate) => new RealDate(now()).toString(),
    construct: (RealDate, input, target) => Reflect.construct(RealDate, input.length === 0 ? [now()] : input, target),
    get: (RealDate, name) => (name === "now" ? now : Reflect.get(RealDate, name))
  })

const virtualHrtime = (nowMs: () => number, hrtime: NodeJS.HRTime): NodeJS.HRTime => {
  const nanos = (): bigint => BigInt(Math.round(nowMs() * 1_000_000))
  const second = 1_000_000_000n
  const virtual = ([seconds, rest]: readonly [number, number] = [0, 0]): [number, number] => {
    const passed = nanos() - BigInt(seconds) * second - BigInt(rest)
    const whole = passed / second - (passed % second < 0n ? 1n : 0n)
    return [Number(whole), Number(passed - whole * second)]
  }
  return Object.assign(virtual, hrtime, { bigint: nanos })
}

/** Counts the digests and ciphers that threads of the platform compute. */
const countCrypto = () => {
  const { subtle } = crypto
  let running = 0
  const counted = (name: string) => {
    const compute = Reflect.get(subtle, name) as (...input: ReadonlyArray<unknown>) => Promise<unknown>
    return (...input: ReadonlyArray<unknown>): Promise<unknown> => {
      running += 1
      return Promise.resolve(compute.apply(subtle, [...input])).finally(() => void (running -= 1))
    }
  }
  const names = Object.getOwnPropertyNames(SubtleCrypto.prototype).filter((name) => name !== "constructor")
  const restore = replace(subtle, Object.fromEntries(names.map((name) => [name, counted(name)])))
  return { isRunning: () => running > 0, restore }
}

/** The platform while it runs on virtual time. */
export interface VirtualPlatform {
  /** Whether threads of the platform compute a digest or a cipher. Virtual time waits for them. */
  readonly isComputing: () => boolean
  /** How many timers keep the process running. */
  readonly timersLeft: () => number
  readonly restore: () => void
}

export const installVirtualPlatform = (clock: ManualClock, seed: number): VirtualPlatform => {
  const { hooks, promises, sync, timers: timersModule } = nodeModules()
  const { clearInterval, clearTimeout } = globalThis
  const platformWait = promises?.setTimeout
  const timers = virtualTimers(clock)
  const start = clock.now()
  const sinceStart = (): number => clock.now() - start
  /** A callback runs in the asynchronous context that set its timer. */
  const bound = (callback: () => void): (() => void) =>
    hooks === undefined ? callback : hooks.AsyncResource.bind(callback, "VirtualTimer")
  const setter =
    (repeats: boolean) =>
    (callback: Callback, delayMs?: number, ...input: ReadonlyArray<unknown>): VirtualTimer =>
      timers.set(
        delayMs,
        bound(() => callback(...input)),
        repeats
      )
  const clear =
    (platform: (timer: never) => void) =>
    (timer: unknown): void => {
      // A timer that was made before is of the platform, whatever it is.
      if (!timers.clear(timer)) platform(timer as never)
    }
  const wait: Wait = (delayMs, value, options = {}) => {
    const { ref = true, signal } = options
    // An aborted wait is rejected by the platform, without a timer.
    const aborted = (): unknown => platformWait?.(delayMs, value, options)
    if (signal?.aborted === true) return Promise.resolve(aborted())
    return new Promise((resolve) => {
      const onAbort = (): void => {
        timer.close()
        resolve(aborted())
      }
      const timer = timers.set(delayMs, () => {
        signal?.removeEventListener("abort", onAbort)
        resolve(value)
      })
      if (!ref) timer.unref()
      signal?.addEventListener("abort", onAbort, { once: true })
    })
  }
  const intervals = async function* (delayMs?: number, value?: unknown, options: WaitOptions = {}) {
    const { ref = true, signal } = options
    let due = 0
    let wake = (): void => {}
    const timer = timers.set(
      delayMs,
      () => {
        due += 1
        wake()
      },
      true
    )
    if (!ref) timer.unref()
    const onAbort = (): void => wake()
    signal?.addEventListener("abort", onAbort, { once: true })
    try {
      for (;;) {
        if (signal?.aborted === true) await wait(delayMs, value, options)
        for (; due > 0; due -= 1) yield value
        await new Promise<void>((resolve) => {
          wake = resolve
          if (signal?.aborted === true) resolve()
        })
      }
    } finally {
      timer.close()
      signal?.removeEventListener("abort", onAbort)
    }
  }
  const functions = {
    setTimeout: Object.assign(setter(false), { [Symbol.for("nodejs.util.promisify.custom")]: wait }),
    setInterval: setter(true),
    clearTimeout: clear(clearTimeout),
    clearInterval: clear(clearInterval)
  }
  const hrtime = globalThis.process?.hrtime as NodeJS.HRTime | undefined
  const virtual = hrtime === undefined ? undefined : virtualHrtime(sinceStart, hrtime)
  const computing = countCrypto()
  const restores = [
    computing.restore,
    replace(globalThis, { ...functions, Date: virtualDate(clock.now) }),
    replace(timersModule, functions),
    replace(promises, { setTimeout: wait, setInterval: intervals }),
    replace(promises?.scheduler, {
      wait: (delayMs: number, options?: WaitOptions) => wait(delayMs, undefined, options)
    }),
    replace(performance, { now: sinceStart, timeOrigin: start }),
    // A random backoff is the same in every run of the same test.
    replace(Math, { random: Random.stream(seed) }),
    replace(AbortSignal, {
      timeout: (delayMs: number): AbortSignal => {
        const controller = new AbortController()
        const error = new DOMException("The operation was aborted due to timeout", "TimeoutError")
        timers.set(delayMs, () => controller.abort(error)).unref()
        return controller.signal
      }
    }),
    ...(virtual === undefined
      ? []
      : // In place too, because libraries keep the object.
        [replace(globalThis.process, { hrtime: virtual }), replace(hrtime, { bigint: virtual.bigint })])
  ]
  sync()
  return {
    isComputing: computing.isRunning,
    timersLeft: timers.left,
    restore: () => {
      for (const restore of restores.toReversed()) restore()
      sync()
    }
  }
}
