import { assert, describe, it } from "@effect/vitest"
import * as Random from "../../random/Random.ts"
import type { CheckRun, MadeCall } from "../CheckRun.ts"
import { notComparable, retryRules } from "./RetryRules.ts"

const reset = (at: number) => ({
  at,
  endedAt: at + 1,
  outcome: { _tag: "NoResponse", failure: "reset" },
  responseHeaders: {}
})

/** Calls of which each was retried twice, after delays. */
const retriedTwice = (count: number, delaysMs: (call: number) => readonly [number, number]) =>
  Array.from({ length: count }, (_, call) => {
    const [first, second] = delaysMs(call)
    // Only the parts of a call that the rule reads.
    return { requests: [reset(0), reset(1 + first), reset(2 + first + second)] } as unknown as MadeCall
  })

/** Calls of which each was retried once, after a delay, and ended some time after its last response. */
const callsWith = (count: number, delayMs: (call: number) => number, outcomeMs: (call: number) => number = () => 1) =>
  Array.from({ length: count }, (_, call) => {
    const at = 1 + delayMs(call)
    const requests = [reset(0), { at, endedAt: at + 1 }]
    // Only the parts of a call that the rule reads.
    return { requests, endedAt: at + 1 + outcomeMs(call) } as unknown as MadeCall
  })

const messageOf = (calls: ReadonlyArray<MadeCall>, toleranceMs = 250): string | undefined => {
  const run = { calls, toleranceMs, isConcurrent: false }
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

  it("is broken on virtual time by first retries at once, by equal ones, and by second ones that wait no longer", () => {
    const onVirtualTime = (count: number, delaysMs: (call: number) => readonly [number, number]) =>
      messageOf(retriedTwice(count, delaysMs), 0)
    assert.strictEqual(
      onVirtualTime(30, (call) => [call % 2, 100]),
      "the first retries of 30 calls followed without a wait"
    )
    assert.strictEqual(
      onVirtualTime(30, () => [100, 200 + 100 * random()]),
      "the first retries of 30 calls all waited 100 ms, without jitter"
    )
    const most = (ms: number) => onVirtualTime(30, (call) => [100 + call, Math.min(ms, 115 + call)])
    assert.isUndefined(most(142))
    assert.strictEqual(most(141), "the second retries of 30 calls waited at most 141 ms, the first ones 129 ms")
    assert.isUndefined(onVirtualTime(29, () => [100, 100]))
    // In real time, one slow response is longer than the growth of a delay.
    assert.isUndefined(messageOf(retriedTwice(30, (call) => [100 + 20 * call, 100 + 20 * call])))
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
