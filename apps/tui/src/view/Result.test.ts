import { assert, describe, it } from "@effect/vitest"
import { event, initial } from "../../test/Sample.ts"
import { detailKind } from "@signalbox/operator/status/Status"
import { steps } from "./Result.ts"

/** Words that every object of JavaScript answers to. */
const inherited = ["constructor", "__proto__", "toString", "hasOwnProperty"]

describe("words of the service that this version does not know", () => {
  it.each(inherited)("are unknown, also when they are %s", (word) => {
    const base = event(1)
    const jobs = Array.from(base.jobs ?? [], (job) => Object.assign({}, job, { type: word }))
    const [letter] = steps({ ...base, jobs }, 15, initial().settings)
    assert.strictEqual(letter?.text, "?")
    for (const { executionDetails } of jobs) {
      for (const detail of executionDetails) assert.strictEqual(detailKind({ ...detail, status: word }), "unknown")
    }
  })
})
