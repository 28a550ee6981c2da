import { assert, describe, it } from "@effect/vitest"
import { ArgumentError, parseArguments, usage } from "./Arguments.ts"

const known = ["decode", "size"]
const refusal = (...words: ReadonlyArray<string>): string => {
  try {
    parseArguments(words, known)
  } catch (error) {
    if (error instanceof ArgumentError) return error.message
    throw error
  }
  return "accepted"
}

describe("Arguments", () => {
  it("runs every suite when none is named, and each named one once", () => {
    assert.deepStrictEqual(parseArguments([], known).suites, known)
    assert.deepStrictEqual(parseArguments(["size", "size"], known).suites, ["size"])
  })

  it("reads flags in any place, with a space or an equals sign", () => {
    assert.deepStrictEqual(parseArguments(["--check", "size", "--json", "a.json", "--from=b.json"], known), {
      suites: ["size"],
      json: "a.json",
      check: true,
      docs: false,
      from: "b.json",
      help: false
    })
  })

  it("names what is allowed when a suite or a flag is unknown", () => {
    assert.strictEqual(refusal("decoder"), `unknown suite "decoder"; allowed: decode, size`)
    assert.match(refusal("--jsn"), /^unknown flag "--jsn"; allowed: --json FILE, --check, /)
    assert.match(refusal("--check=yes"), /^unknown flag "--check=yes"/)
  })

  it("asks for the file name that is missing", () => {
    assert.strictEqual(refusal("--json"), "--json needs a file name: --json FILE")
    assert.strictEqual(refusal("--json", "--check"), "--json needs a file name: --json FILE")
    assert.strictEqual(refusal("--from="), "--from needs a file name: --from FILE")
  })

  it("does not write the document from a part of the suites", () => {
    assert.match(refusal("size", "--docs"), /^--docs needs every suite of one run/)
    assert.isTrue(parseArguments(["--docs"], known).docs)
    assert.isTrue(parseArguments(["size", "--docs", "--from", "a.json"], known).docs)
  })

  it("lists the suites in the help", () => {
    assert.include(usage(known), "decode, size")
  })
})
