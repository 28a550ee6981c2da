import { assert, describe, it } from "@effect/vitest"
import * as Random from "../../random/Random.ts"
import type { CheckRun, MadeCall } from "../CheckRun.ts"
import { notComparable, retryRules } from "./RetryRules.ts"

/** Calls of which each was retried once, after a delay, and ended some time after its last response. */
const callsWith = (count: number, delayMs: (call: number) => number, outcomeMs: (call: number) => number = () => 1) =>
  Array.from({ length: count }, (_, call) => {
    const at = 1 + delayMs(call)
    const requests = [
      { at: 0, endedAt: 1, outcome: { _tag: "NoResponse", failure: "reset" }, responseHeaders: {} },
      { at, endedAt: at + 1 }
    ]
    // Only the parts of a call that the rule reads.
    return { requests, endedAt: at + 1 + outcomeMs(call) } as unknown as MadeCall
  })

const messageOf = (calls: ReadonlyArray<MadeCall>): string | undefined => {
  const run = { calls, toleranceMs: 250, isConcurrent: false }
  // Only the parts of a run that the rule reads.
  return retryRules["retry-delays"].check(run as unknown as CheckRun)[0]?.message
}

const random = Random.stream(1)

/** The milliseconds that a busy machine adds: mostly a few, sometimes a hundred. */
const busyMs = () => Math.round(8 * -Math.log(random() + 0.001) + (random() < 0.2 ? 200 * random() : 0))

describe("retry-delays", () => {
  it.each<readonly [string, (call: number) => number, RegExp | undefined]>([
    [
      "equal, and the machine adds some milliseconds",
      (call) => 100 + (call % 7) + (call % 11 === 0 ? 80 : 0),
      /about 10\d ms/
    ],
    ["equal, on a busy machine", () => 500 + busyMs(), /about 5\d\d ms/],
    ["spread by a tenth", (call) => 90 + ((call * 8) % 21), undefined],
    ["spread by a tenth, on a busy machine", () => 450 + 100 * random() + busyMs(), undefined]
  ])("compares the delays of a command, where they are %s", (_how, delayMs, message) => {
    const found = messageOf(callsWith(60, delayMs))
    if (message === undefined) assert.isUndefined(found)
    else assert.match(found ?? "", message)
  })

  it("is not evaluated where the machine spreads equal delays as far as jitter would", () => {
    const slow = (): number => Math.round(120 * random())
    const calls = callsWith(60, () => 500 + slow() + slow(), slow)
    assert.isUndefined(messageOf(calls))
    assert.strictEqual(notComparable(calls, 250), "the machine was too busy")
    // On virtual time no machine adds anything.
    assert.isUndefined(notComparable(calls, 0))
    assert.isUndefined(
      notComparable(
        callsWith(60, () => 1_000 * random(), slow),
        250
      )
    )
  })
})
