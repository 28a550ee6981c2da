import { assert, describe, it } from "@effect/vitest"
import type { CheckRun, MadeCall } from "../CheckRun.ts"
import { retryRules } from "./RetryRules.ts"

describe("retry-delays", () => {
  it.each<readonly [string, (call: number) => number, RegExp | undefined]>([
    [
      "equal, and the machine adds some milliseconds",
      (call) => 100 + (call % 7) + (call % 11 === 0 ? 80 : 0),
      /about 10\d ms/
    ],
    ["spread by a tenth", (call) => 90 + ((call * 7) % 21), undefined]
  ])("compares the delays of a command, where they are %s", (_how, delayMs, message) => {
    // Only the parts of a request that the rule reads.
    const made = (call: number) =>
      ({
        requests: [
          { at: 0, endedAt: 1, outcome: { _tag: "NoResponse", failure: "reset" }, responseHeaders: {} },
          { at: 1 + delayMs(call) }
        ]
      }) as unknown as MadeCall
    const run = { calls: Array.from({ length: 40 }, (_, call) => made(call)), toleranceMs: 250, isConcurrent: false }
    const [breach] = retryRules["retry-delays"].check(run as unknown as CheckRun)
    if (message === undefined) assert.isUndefined(breach)
    else assert.match(breach?.message ?? "", message)
  })
})
