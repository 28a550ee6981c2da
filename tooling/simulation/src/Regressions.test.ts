import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { standardSeed } from "./Arguments.ts"
import { families } from "./Families.ts"
import type { Family, Observed } from "./Family.ts"
import type { Finding } from "./Finding.ts"
import { readToken } from "./ReproductionToken.ts"
import { report } from "./Report.ts"
import { simulate } from "./Simulate.ts"

interface Regression {
  readonly token: string
  /** The client that has the defect again. */
  readonly brokenClient: string
}

// The file is part of the repository; entries that cannot be read fail below.
const regressions = JSON.parse(readFileSync(new URL("../regressions.json", import.meta.url), "utf8")) as Readonly<
  Record<string, Regression>
>

/** Replays a scenario with the client that ships, and with a broken one. */
const replayWith =
  (replay: string, brokenClient: string) =>
  <Scenario, Observation extends Observed, Client>(family: Family<Scenario, Observation, Client>) =>
    Effect.gen(function* () {
      const scenario = { runs: 1, seed: standardSeed, replay }
      const shipped = yield* simulate(family, { ...scenario, client: family.client })
      assert.notStrictEqual(shipped._tag, "Falsified", report(family.name, shipped).join("\n"))
      const { client, finding } = family.broken[brokenClient] ?? assert.fail(`no client "${brokenClient}"`)
      const counts = ({ message }: Finding) => finding.test(message)
      const caught = yield* simulate(family, { ...scenario, client, counts })
      assert.strictEqual(caught._tag, "Falsified", "the token belongs to another generator: find the scenario again")
    })

describe("the smallest scenario of a past finding", () => {
  it.live.each(Object.entries(regressions))("%s", ([, { brokenClient, token }]) => {
    const found = readToken(token)
    const use = families[found?.family ?? ""]
    return found === undefined || use === undefined
      ? assert.fail(`${token} is not a token`)
      : use(replayWith(found.replay, brokenClient))
  })
})
