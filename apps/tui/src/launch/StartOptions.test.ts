import { assert, describe, it } from "@effect/vitest"
import { readStartOptions, type Start } from "./StartOptions.ts"

const read = (...args: ReadonlyArray<string>) => readStartOptions(args, "1.2.3")

const refusal = (...args: ReadonlyArray<string>): string => {
  const start = read(...args)
  assert(start._tag === "Refused")
  assert.notInclude(start.message, "\n")
  return start.message
}

describe("readStartOptions", () => {
  it("reads the connection and the demo", () => {
    const run = (connection: string | undefined, demoEvents?: number): Start => ({
      _tag: "Run",
      options: { connection, demoEvents }
    })
    assert.deepStrictEqual(read(), run(undefined))
    assert.deepStrictEqual(read("--connection=eu"), run("eu"))
    assert.deepStrictEqual(read("-c", "eu"), run("eu"))
    assert.deepStrictEqual(read("--demo"), run("demo"))
    assert.deepStrictEqual(read("--demo-events", "20"), run("demo", 20))
  })

  it("names an unknown flag, and where the others are", () => {
    for (const flag of ["--colour", "--constructor", "--theme", "-x"]) {
      assert.include(refusal(flag), `unknown flag "${flag}"; signalbox ui has all flags`)
    }
    assert.include(refusal("events"), 'unexpected argument "events"')
  })

  it("names a bad value and what is allowed", () => {
    assert.include(refusal("--connection"), "needs a value")
    assert.include(refusal("--demo=1"), "takes no value")
    assert.include(refusal("--demo", "--connection", "eu"), "--connection excludes --demo")
    assert.include(refusal("--demo-events", "0"), "from 1 to 100000")
    assert.include(refusal("--demo-events", "1.5"), "whole number")
  })

  it("prints help and version", () => {
    assert.deepStrictEqual(read("--version"), { _tag: "Print", text: "1.2.3\n" })
    const help = read("-h")
    assert(help._tag === "Print")
    assert.include(help.text, "signalbox ui --help")
  })
})
