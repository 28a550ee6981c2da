import { assert, describe, it } from "@effect/vitest"
import { checkClient, CheckFailed } from "@signalbox/test-harness"
import { brokenWires } from "./BrokenWire.ts"
import { promises } from "./CheckedClient.ts"

describe("the check that users run", () => {
  it.each(Object.entries(brokenWires))("catches a client that %s", async (_name, { client, rules }) => {
    let found: ReadonlyArray<string> = []
    // Most are caught by the first programs; few need more.
    for (const runs of [15, 60, 300]) {
      const error: unknown = await checkClient(client, { ...promises, runs }).catch((thrown: unknown) => thrown)
      found = error instanceof CheckFailed ? error.report.findings.map(({ rule }) => rule) : []
      if (rules.some((rule) => found.includes(rule))) return
    }
    assert.fail(`expected one of ${rules.join(", ")}, found ${found.join(", ")}`)
  })
})
