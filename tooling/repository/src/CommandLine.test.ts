import { assert, describe, it } from "@effect/vitest"
import { parseOptions, UsageError, wholeNumber } from "./CommandLine.ts"

const config = { options: { runs: { type: "string" }, check: { type: "boolean" } }, allowPositionals: false } as const

describe("a command line", () => {
  it("is parsed with spaces and equals signs", () => {
    assert.deepStrictEqual({ ...parseOptions(["--runs", "5", "--check"], config).values }, { runs: "5", check: true })
    assert.deepStrictEqual({ ...parseOptions(["--runs=5"], config).values }, { runs: "5" })
  })

  it.each([
    [["--fast"], "Unknown option '--fast'; options: --runs, --check"],
    [["fast"], "Unexpected argument 'fast'; options: --runs, --check"],
    [["--runs"], "Option '--runs <value>' argument missing; options: --runs, --check"],
    [["--check=yes"], "Option '--check' does not take an argument; options: --runs, --check"]
  ])("with bad input, %j, gets one line", (words, message) => {
    assert.throws(() => parseOptions(words, config), UsageError, message)
  })

  it.each(["0", "-1", "1.5", "x", ""])("rejects %j where a whole number of at least 1 is expected", (value) => {
    assert.throws(
      () => wholeNumber("--runs", value, 1),
      UsageError,
      `--runs must be a whole number of at least 1, not "${value}"`
    )
  })
})
