import { assert, describe, it } from "@effect/vitest"
import { checkClient, CheckFailed } from "@signalbox/test-harness"
import { brokenWires } from "./BrokenWire.ts"
import { promises } from "./CheckedClient.ts"

describe("the check that users run", () => {
  it.each(Object.entries(brokenWires))("catches a client that %s", async (_name, { client, rules }) => {
    const error: unknown = await checkClient(client, { ...promises, runs: 300 }).catch((thrown: unknown) => thrown)
    assert.instanceOf(error, CheckFailed)
    const found = (error as CheckFailed).report.findings.map(({ rule }) => rule)
    assert.isTrue(
      rules.some((rule) => found.includes(rule)),
      `expected one of ${rules.join(", ")}, found ${found.join(", ")}`
    )
  })
})
