import { assert, beforeAll, describe, it } from "@effect/vitest"
import { interruptionTable } from "./InterruptionTable.ts"
import { nodeNames, nodeProgram } from "./NodeProgram.ts"

/** The state of the connections of each row, without duplicates: one entry when all transports agree. */
type Observed = Readonly<Record<string, ReadonlyArray<string>>>

describe("interrupting a call closes its connection", () => {
  const run = nodeProgram("observeInterruption")

  describe.each(nodeNames)("on the fetch of %s", (node) => {
    let observed: Observed
    beforeAll(async () => {
      // What the program prints.
      observed = (await run(node)) as Observed
    })

    for (const { name } of interruptionTable) {
      it(name, () => {
        assert.deepStrictEqual(observed[name], ["closed by the interruption"])
      })
    }
  })
})
