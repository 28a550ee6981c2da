import { assert, describe, it, vi } from "@effect/vitest"
import * as hooks from "node:async_hooks"
import { hash, randomBytes } from "node:crypto"
import { createServer } from "node:net"
import { readFile } from "node:fs/promises"
import * as timers from "node:timers"
import { scheduler, setInterval as every, setTimeout as wait } from "node:timers/promises"
import { promisify } from "node:util"
import { startProgram } from "@signalbox/testing/Program"
import { recordRealWork } from "./RealWork.ts"
import { neverFinished, runOnVirtualTime, type VirtualRun, virtualStart } from "./VirtualTime.ts"

const saved = setTimeout
const savedSignal = AbortSignal.timeout.bind(AbortSignal)

const passed = async (run: () => unknown): Promise<number> => {
  const before = Date.now()
  await run()
  return Date.now() - before
}

const valueOf = <Value>(run: VirtualRun<Value>): Value => {
  if (run._tag === "Returned") return run.value
  throw run._tag === "Threw" ? run.error : new Error("the run hung")
}

/** Runs a function on virtual time, and returns its value. */
const onVirtualTime = async <Value>(run: () => Promise<Value> | Value): Promise<Value> =>
  valueOf(await runOnVirtualTime(virtualStart, run))

const messageOf = async (run: () => Promise<unknown>): Promise<string> => {
  const ran = await runOnVirtualTime(virtualStart, run)
  assert.strictEqual(ran._tag, "Threw")
  return ran._tag === "Threw" && ran.error instanceof Error ? ran.error.message : ""
}

const hour = 3_600_000

describe("virtual time", () => {
  it.each<readonly [string, () => unknown]>([
    ["the global setTimeout", () => new Promise((resolve) => setTimeout(resolve, hour))],
    ["node:timers", () => new Promise((resolve) => timers.setTimeout(resolve, hour))],
    ["the promises of node:timers", () => timers.promises.setTimeout(hour)],
    ["a named import of node:timers/promises", () => wait(hour)],
    ["the scheduler", () => scheduler.wait(hour)],
    ["a promisified setTimeout", () => promisify(setTimeout)(hour)],
    ["an interval", () => new Promise((resolve) => setInterval(resolve, hour))],
    ["AbortSignal.timeout", () => new Promise((done) => AbortSignal.timeout(hour).addEventListener("abort", done))],
    [
      "an interval as an iterator",
      async () => {
        for await (const value of every(hour / 3, "value")) {
          assert.strictEqual(value, "value")
          if (Date.now() === Date.parse(virtualStart) + hour) return
        }
      }
    ]
  ])("passes for %s", async (_name, run) => {
    assert.strictEqual(await onVirtualTime(() => passed(run)), hour)
  })

  it("moves every clock together, and gives them back", async () => {
    const clocks = () => {
      const [seconds, nanos] = process.hrtime()
      return [
        Date.now(),
        new Date().getTime(),
        performance.now(),
        performance.timeOrigin + performance.now(),
        Number(process.hrtime.bigint()) / 1e6,
        seconds * 1e3 + nanos / 1e6
      ]
    }
    const started = performance.now()
    const moved = await onVirtualTime(async () => {
      const before = clocks()
      await wait(60_000)
      return clocks().map((now, index) => Math.round(now - (before[index] ?? 0)))
    })
    assert.deepStrictEqual(moved, [60_000, 60_000, 60_000, 60_000, 60_000, 60_000])
    assert.isAtLeast(performance.now(), started)
    assert.strictEqual(setTimeout, saved)
    assert.strictEqual(timers.setTimeout, saved)
    assert.notProperty(Object.getOwnPropertyDescriptors(performance), "now")
  })

  it("clears what the platform would clear", async () => {
    let fired = false
    const before = setTimeout(() => void (fired = true), 0)
    const interval = setInterval(() => void (fired = true), 0)
    const number = Number(setTimeout(() => void (fired = true), 0))
    await onVirtualTime(async () => {
      clearTimeout(before)
      clearInterval(interval)
      timers.clearTimeout(number)
      for (const nothing of ["x", undefined, null, {}, Symbol.iterator])
        assert.doesNotThrow(() => clearTimeout(nothing as never))
      clearTimeout(setTimeout(() => void (fired = true), 1))
      clearTimeout(Number(setTimeout(() => void (fired = true), 1)))
      await wait(10)
    })
    await wait(5)
    assert.isFalse(fired)
  })

  it.each<readonly [string, () => unknown, number]>([
    ["a timeout", () => setTimeout(() => {}, hour), 1],
    ["a timeout that fired", () => setTimeout(() => {}, 1), 0],
    ["a timeout without reference", () => setTimeout(() => {}, hour).unref(), 0],
    [
      "a timeout with a reference again",
      () =>
        setTimeout(() => {}, hour)
          .unref()
          .ref(),
      1
    ],
    [
      "two timeouts, one of them cleared",
      () => [setTimeout(() => {}, hour), clearTimeout(setTimeout(() => {}, hour))],
      1
    ],
    ["an interval", () => setInterval(() => {}, 2), 1],
    ["an interval without reference", () => setInterval(() => {}, 2).unref(), 0],
    ["a wait", () => void wait(hour), 1],
    ["a wait without reference", () => void wait(hour, undefined, { ref: false }), 0],
    ["an AbortSignal", () => AbortSignal.timeout(hour), 0]
  ])("reports whether %s keeps the process running", async (_name, start, left) => {
    const run = await runOnVirtualTime(virtualStart, async () => {
      start()
      await wait(5)
    })
    assert.deepStrictEqual([run._tag, "timersLeft" in run ? run.timersLeft : undefined], ["Returned", left])
  })

  it("starts a refreshed timer again, and reports whether a timer has a reference", async () => {
    const fired = await onVirtualTime(async () => {
      let at = 0
      const started = Date.now()
      const timer = setTimeout(() => (at = Date.now() - started), 10)
      const references = [timer.hasRef(), timer.unref().hasRef(), timer.ref().hasRef()]
      assert.deepStrictEqual(references, [true, false, true])
      await wait(6)
      assert.strictEqual(timer.refresh(), timer)
      await wait(20)
      return at
    })
    assert.strictEqual(fired, 16)
  })

  it("replaces a delay that is too long by the shortest", async () => {
    assert.isAtMost(await onVirtualTime(() => passed(() => wait(2 ** 31))), 1)
  })

  it.each([
    wait,
    (delayMs: number, value: unknown, options: object) => timers.promises.setTimeout(delayMs, value, options)
  ])("rejects an aborted wait as the platform does", async (aborted) => {
    const errors = await onVirtualTime(async () => {
      const controller = new AbortController()
      const waiting = aborted(hour, undefined, { signal: controller.signal }).catch((error: unknown) => error)
      controller.abort("enough")
      const late = aborted(hour, undefined, { signal: controller.signal }).catch((error: unknown) => error)
      return Promise.all([waiting, late])
    })
    for (const error of errors) assert.include(error, { name: "AbortError", code: "ABORT_ERR", cause: "enough" })
  })

  it("keeps the asynchronous context of a timer", async () => {
    const storage = new hooks.AsyncLocalStorage<string>()
    const found = await onVirtualTime(() =>
      storage.run("outer", () => new Promise((resolve) => setTimeout(() => resolve(storage.getStore()), 10)))
    )
    assert.strictEqual(found, "outer")
  })

  it("keeps still for the work of threads", async () => {
    const took = await onVirtualTime(() =>
      passed(async () => {
        setTimeout(() => {}, 1)
        await crypto.subtle.digest("SHA-256", new Uint8Array(5_000_000))
        await readFile(import.meta.filename)
      })
    )
    assert.strictEqual(took, 0)
  })

  it("waits for no work that was done at once", async () => {
    const turns = await onVirtualTime(async () => {
      randomBytes(16)
      hash("sha256", "text")
      let count = 0
      const polling = setInterval(() => void (count += 1), 1)
      await wait(100)
      clearInterval(polling)
      return count
    })
    assert.isAtLeast(turns, 99)
  })

  it("reports a timer of a function that was saved, with its line", async () => {
    const message = await messageOf(async () => {
      setTimeout(() => {}, 5)
      await new Promise((resolve) => saved(resolve, 10_000))
    })
    assert.match(
      message,
      /^the code under test waits on a real timer of 10000 ms, started at .*VirtualTime\.test\.ts:\d+:\d+/u
    )
    assert.include(message, "call the global one, such as `setTimeout`")
  })

  it("reports the timer of a saved AbortSignal.timeout, which keeps no process running", async () => {
    const message = await messageOf(
      () => new Promise((resolve) => savedSignal(3_000).addEventListener("abort", resolve))
    )
    assert.match(message, /waits on a real timer of 3000 ms, started at .*VirtualTime\.test\.ts:\d+:\d+/u)
  })

  it("passes no storage of an ended run on to later asynchronous work", async () => {
    let enabled = 0
    class CountedStorage<Value> extends hooks.AsyncLocalStorage<Value> {
      override run<Result, Input extends Array<unknown>>(
        store: Value,
        callback: (...input: Input) => Result,
        ...input: Input
      ): Result {
        enabled += 1
        return super.run(store, callback, ...input)
      }
      override disable(): void {
        enabled -= 1
        super.disable()
      }
    }
    const real = recordRealWork({ ...hooks, AsyncLocalStorage: CountedStorage })
    real.record(() => {})
    assert.strictEqual(enabled, 1)
    real.stop()
    assert.strictEqual(enabled, 0)
  })

  it.each([
    [20, "the code under test waits on a real timer or socket: call the global `setTimeout`"],
    [60_000, "the test never finished, or it waits on a real timer or socket"]
  ])(
    "waits in real time for a saved timer of %d ms where the runtime does not report it",
    async (delayMs, expected) => {
      vi.stubGlobal("process", { ...process, versions: { bun: "1.4.5" }, getBuiltinModule: undefined })
      let timer: ReturnType<typeof setTimeout> | undefined
      const run = await runOnVirtualTime(
        virtualStart,
        () => new Promise((resolve) => void (timer = saved(resolve, delayMs)))
      )
      vi.unstubAllGlobals()
      clearTimeout(timer)
      assert.include("error" in run && run.error instanceof Error ? run.error.message : "", expected)
    }
  )

  it("reports a socket, with its line", async () => {
    const server = createServer()
    const message = await messageOf(() => new Promise((resolve) => server.listen(0).once("close", resolve)))
    server.close()
    assert.match(message, /^the code under test waits on a real socket, started at .*VirtualTime\.test\.ts:\d+:\d+/u)
  })

  it("reports no pipe that the platform opens for an output of the program", async () => {
    const { href } = new URL("VirtualTime.ts", import.meta.url)
    const program = `import { runOnVirtualTime } from ${JSON.stringify(href)}
      const run = await runOnVirtualTime(0, async () => {
        process.stderr.write("a warning")
        process.stdout.write("a note")
        await new Promise((resolve) => setTimeout(resolve, ${hour}))
      })
      if (run._tag === "Threw") throw run.error`
    assert.deepStrictEqual(
      await startProgram(process.execPath, ["--no-warnings", "--input-type=module", "--eval", program]).ended,
      { code: 0, stdout: "a note", stderr: "a warning" }
    )
  })

  it("waits for no timer of other code", async () => {
    const other = saved(() => {}, 10_000)
    assert.strictEqual((await runOnVirtualTime(virtualStart, () => new Promise(() => {})))._tag, "Hung")
    clearTimeout(other)
  })

  it("throws what a timer throws", async () => {
    const message = await messageOf(
      () =>
        new Promise(() => {
          setTimeout(() => {
            throw new Error("in a timer")
          }, 5)
        })
    )
    assert.strictEqual(message, "in a timer")
  })

  it("stops a function that polls forever, but none that waits for hours", async () => {
    const wait = (millis: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, millis))
    assert.strictEqual((await runOnVirtualTime(virtualStart, () => wait(48 * 3_600_000)))._tag, "Returned")
    const polls = await runOnVirtualTime(virtualStart, async () => {
      for (;;) await wait(1_000)
    })
    assert.include(polls, { _tag: "Hung" })
    assert.strictEqual(
      "error" in polls && String(polls.error),
      "Error: the test did not finish in 1 h of virtual time and 3601 timers"
    )
  })

  it.each([
    [{ node: "24.0.0" }, "the test never finished"],
    [{ node: "24.0.0", bun: "1.4.5" }, "the test never finished, or it waits on a real timer or socket"],
    [undefined, "the test never finished, or it waits on a real timer or socket"]
  ])("reports why a test never finished where the runtime is %j", (versions, message) => {
    vi.stubGlobal("process", versions && { ...process, versions })
    const reason = neverFinished()
    vi.unstubAllGlobals()
    assert.strictEqual(reason, message)
  })
})
