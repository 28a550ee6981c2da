import { assert, describe, it } from "@effect/vitest"
import { UsageError } from "@signalbox/repository/CommandLine"
import { parseArguments, usage } from "./Arguments.ts"

const known = ["decode", "size"]
const refusal = (...words: ReadonlyArray<string>): string => {
  try {
    parseArguments(words, known)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return "accepted"
}

describe("Arguments", () => {
  it("runs every suite when none is named, and each named one once", () => {
    assert.deepStrictEqual(parseArguments([], known).suites, known)
    assert.deepStrictEqual(parseArguments(["size", "size"], known).suites, ["size"])
  })

  it("reads options in any position, with a space or an equals sign", () => {
    assert.deepStrictEqual(parseArguments(["--check", "size", "--json", "a.json", "--from=b.json"], known), {
      suites: ["size"],
      json: "a.json",
      check: true,
      docs: false,
      from: "b.json",
      help: false
    })
  })

  it("names the suites or the options when one is unknown", () => {
    assert.strictEqual(refusal("decoder"), `unknown suite "decoder"; expected one of: decode, size`)
    assert.match(refusal("--jsn"), /^Unknown option '--jsn'; options: --json, --check, /)
    assert.match(refusal("--check=yes"), /^Option '--check' does not take an argument/)
  })

  it("requires a file name", () => {
    assert.match(refusal("--json"), /^Option '--json <value>' argument missing/)
    assert.match(refusal("--json", "--check"), /^Option '--json' argument is ambiguous/)
    assert.strictEqual(refusal("--from="), "--from needs a file name: --from FILE")
  })

  it("accepts some of the suites for the document", () => {
    assert.deepInclude(parseArguments(["size", "--docs"], known), { docs: true, suites: ["size"] })
  })

  it("lists the suites in the help", () => {
    assert.include(usage(known), "decode, size")
  })
})
