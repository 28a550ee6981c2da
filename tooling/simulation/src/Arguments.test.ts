import { assert, describe, it } from "@effect/vitest"
import { UsageError } from "@signalbox/repository/CommandLine"
import { parseArguments, standardRuns, standardSeed } from "./Arguments.ts"
import { writeToken } from "./ReproductionToken.ts"

const known = ["calls", "walks"]
const parse = (...words: ReadonlyArray<string>) => parseArguments(words, known)

describe("the command line", () => {
  it("has defaults", () => {
    assert.deepStrictEqual(parse(), {
      families: known,
      runs: standardRuns,
      seed: standardSeed,
      minutes: undefined,
      reproduction: undefined,
      help: false
    })
  })

  it("selects families, scenarios and time", () => {
    const { families, minutes, runs, seed } = parse("walks", "--runs", "5", "--seed=0", "--minutes", "3")
    assert.deepStrictEqual({ families, minutes, runs, seed }, { families: ["walks"], runs: 5, seed: 0, minutes: 3 })
  })

  it("accepts the family of a token", () => {
    const reproduction = { family: "walks", replay: "[1,2]" }
    const { families, ...found } = parse("--reproduce", writeToken(reproduction))
    assert.deepStrictEqual([families, found.reproduction], [["walks"], reproduction])
  })

  it.each([
    [["--runs", "0"], '--runs must be a whole number of at least 1, not "0"'],
    [["marks"], 'unknown family "marks"; expected one of: calls, walks'],
    [["--reproduce", "calls"], "--reproduce needs a token exactly as an earlier failure printed it"],
    [["--reproduce", writeToken({ family: "other", replay: "[]" })], "--reproduce needs a token"],
    [["--fast"], "Unknown option '--fast'; options: --runs, --seed, --minutes, --reproduce, --help"]
  ])("rejects %j in one line", (words, message) => {
    assert.throws(() => parse(...words), UsageError, message)
  })
})
