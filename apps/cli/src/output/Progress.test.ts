import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { makeTestProcess } from "../../test/CommandLineTest.ts"
import { Process } from "../process/Process.ts"
import { progressLine, startProgress } from "./Progress.ts"

describe("progress", () => {
  it("reports how much, how fast and how long", () => {
    assert.strictEqual(progressLine("event", 500, 2000, 1000), "500 events, 500/s, 3.0 s left")
    assert.strictEqual(progressLine("event", 500, Number.POSITIVE_INFINITY, 1000), "500 events, 500/s")
    assert.strictEqual(progressLine("event", 0, 10, 0), "0 events, 0/s")
  })

  const shown = Effect.fnUntraced(function* (streams: Partial<Process["Service"]>, quiet = false) {
    const { printed, process } = makeTestProcess()
    const progress = yield* startProgress("event", quiet).pipe(
      Effect.provideService(Process, { ...process, ...streams })
    )
    yield* progress.show(1, 10)
    yield* TestClock.adjust("1 second")
    yield* progress.show(5, 10)
    yield* progress.clear
    return printed().stderr
  })

  it.effect("is one line on stderr, removed at the end", () =>
    Effect.map(shown({ stderrIsTerminal: true }), (text) =>
      assert.strictEqual(text, "\r\u001B[2K5 events, 5/s, 1.0 s left\r\u001B[2K")
    )
  )

  it.effect("is not shown in a log, over a table, or with --quiet", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* shown({}), "")
      assert.strictEqual(yield* shown({ stderrIsTerminal: true, stdoutIsTerminal: true }), "")
      assert.strictEqual(yield* shown({ stderrIsTerminal: true }, true), "")
    })
  )
})
