import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { runRate } from "./RateRun.ts"

/** Rejected requests and unused rate at most, as shares. */
const aims = {
  headers: { rejected: 0.02, used: 0.9 },
  "retry-after": { rejected: 0.02, used: 0.9 },
  neither: { rejected: 0.05, used: 0.7 }
} as const

describe("rows to a service with a rate limit", () => {
  for (const plan of ["free", "pro"] as const) {
    for (const statement of ["headers", "retry-after", "neither"] as const) {
      for (const concurrency of [1, 50, 200]) {
        it.effect(`lose no row: plan ${plan}, ${statement}, concurrency ${concurrency}`, () =>
          Effect.gen(function* () {
            // Where the limit is learned from rejections, most are the first ones: their share needs many rows.
            const rows = statement === "headers" || concurrency === 1 ? 1500 : 5000
            const outcome = yield* runRate({ plan, statement, concurrency, rows, seed: 1 })
            assert.strictEqual(outcome.lost, 0)
            assert.isAtMost(outcome.rejected / outcome.requests, aims[statement].rejected)
            assert.isAtLeast(outcome.usedShare, aims[statement].used)
          })
        )
      }
    }
  }
})
