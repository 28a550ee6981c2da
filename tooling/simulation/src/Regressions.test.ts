import { readFileSync } from "node:fs"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { standardSeed } from "./Arguments.ts"
import { families } from "./Families.ts"
import { readToken } from "./ReproductionToken.ts"
import { report } from "./Report.ts"
import { simulate } from "./Simulate.ts"

// The file is part of the repository; a token that cannot be read fails below.
const regressions = JSON.parse(readFileSync(new URL("../regressions.json", import.meta.url), "utf8")) as Readonly<
  Record<string, string>
>

describe("the smallest scenario of a past finding", () => {
  it.live.each(Object.entries(regressions))("%s", ([, token]) =>
    Effect.gen(function* () {
      const found = readToken(token)
      const use = families[found?.family ?? ""]
      if (found === undefined || use === undefined) return assert.fail(`${token} is not a token`)
      const result = yield* use((family) =>
        simulate(family, { client: family.client, runs: 1, seed: standardSeed, replay: found.replay })
      )
      assert.notStrictEqual(result._tag, "Falsified", report(found.family, result).join("\n"))
    })
  )
})
