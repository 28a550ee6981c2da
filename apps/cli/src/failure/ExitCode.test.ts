import { assert, describe, it } from "@effect/vitest"
import { exitCodeMeanings, exitCodeOfReason, exitCodes } from "./ExitCode.ts"

describe("exit codes", () => {
  it("are the documented ones", () =>
    assert.deepStrictEqual(Object.values(exitCodes), [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 70, 129, 130, 143]))

  it("give every reason a failure", () => {
    for (const code of Object.values(exitCodeOfReason)) assert.include([2, 3, 4, 5, 6, 7], code)
  })

  it("are explained", () => assert.deepStrictEqual(Object.keys(exitCodeMeanings), Object.keys(exitCodes)))
})
