import { assert, describe, it } from "@effect/vitest"
import { parseArguments, standardRuns, standardSeed } from "./Arguments.ts"

describe("the command line", () => {
  it("has values for what is not said", () => {
    assert.deepStrictEqual(parseArguments([]), {
      runs: standardRuns,
      seed: standardSeed,
      repeat: undefined,
      help: false
    })
  })

  it("takes values as words of their own and after an equals sign", () => {
    const { repeat, runs, seed } = parseArguments(["--runs", "5", "--seed=0", "--repeat", "W10"])
    assert.deepStrictEqual({ repeat, runs, seed }, { repeat: "W10", runs: 5, seed: 0 })
  })

  it.each([
    [["--runs", "0"], '--runs must be a whole number from 1, not "0"'],
    [["--seed", "x"], '--seed must be a whole number from 0, not "x"'],
    [["--runs"], "--runs needs a value"],
    [["--fast"], 'unknown argument "--fast"; allowed: --runs N, --seed S, --repeat TOKEN, --help']
  ])("refuses %j in one line", (words, message) => {
    assert.throws(() => parseArguments(words), message)
  })
})
