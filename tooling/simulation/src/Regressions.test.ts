import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { standardSeed } from "./Arguments.ts"
import { type BrokenClient, brokenCallers, brokenClocks, brokenWalkers } from "./BrokenClients.ts"
import { brokenBulk } from "./bulk/BrokenBulk.ts"
import { bulk } from "./bulk/Bulk.ts"
import { calls } from "./calls/Calls.ts"
import { clockSteps } from "./calls/ClockSteps.ts"
import type { Family, Observed } from "./Family.ts"
import type { Finding } from "./Finding.ts"
import { brokenPromises } from "./promises/BrokenPromiseClients.ts"
import { promises } from "./promises/Promises.ts"
import { readToken } from "./ReproductionToken.ts"
import { report } from "./Report.ts"
import { simulate } from "./Simulate.ts"
import { walks } from "./walks/Walks.ts"

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
  <Scenario, Observation extends Observed, Client>(
    family: Family<Scenario, Observation, Client>,
    broken: Readonly<Record<string, BrokenClient<Client>>>
  ) =>
  (replay: string, brokenClient: string) =>
    Effect.gen(function* () {
      const scenario = { runs: 1, seed: standardSeed, replay }
      const shipped = yield* simulate(family, { ...scenario, client: family.client })
      assert.notStrictEqual(shipped._tag, "Falsified", report(family.name, shipped).join("\n"))
      const { client, finding } = broken[brokenClient] ?? assert.fail(`no client "${brokenClient}"`)
      const caught = yield* simulate(family, {
        ...scenario,
        client,
        counts: ({ message }: Finding) => finding.test(message)
      })
      assert.strictEqual(caught._tag, "Falsified", "the token belongs to another generator: find the scenario again")
    })

const families: Readonly<Record<string, ReturnType<typeof replayWith>>> = {
  calls: replayWith(calls, brokenCallers),
  "clock-steps": replayWith(clockSteps, brokenClocks),
  walks: replayWith(walks, brokenWalkers),
  promises: replayWith(promises, brokenPromises),
  bulk: replayWith(bulk, brokenBulk)
}

describe("the smallest scenario of a past finding", () => {
  it.live.each(Object.entries(regressions))("%s", ([, { brokenClient, token }]) => {
    const found = readToken(token)
    const replay = families[found?.family ?? ""]
    return found === undefined || replay === undefined
      ? assert.fail(`${token} is not a token`)
      : replay(found.replay, brokenClient)
  })
})
