import { assert, describe, it } from "@effect/vitest"
import { readArguments } from "./Arguments.ts"

const read = (args: ReadonlyArray<string>, environment = {}) => readArguments(args, environment, "1.2.3")

const refusal = (args: ReadonlyArray<string>, environment = {}): string => {
  const request = read(args, environment)
  assert(request._tag === "Refused")
  assert.notInclude(request.message, "\n")
  return request.message
}

describe("readArguments", () => {
  it("runs without arguments", () => {
    const request = read([])
    assert(request._tag === "Run")
    assert.deepStrictEqual(request.arguments, {
      connection: undefined,
      demo: false,
      demoEvents: undefined,
      replay: undefined,
      theme: undefined,
      ascii: false,
      screenReader: false,
      mask: false,
      filter: "",
      since: undefined
    })
  })
  it("accepts every flag", () => {
    const request = read(["--connection=eu", "--theme", "light", "--ascii", "--filter", "status:failed -channel:email"])
    assert(request._tag === "Run")
    assert.strictEqual(request.arguments.connection, "eu")
    assert.strictEqual(request.arguments.theme, "light")
    assert.strictEqual(request.arguments.filter, "status:failed -channel:email")
  })
  it("reads the environment, and flags before it", () => {
    const request = read(["--theme", "light"], { SIGNALBOX_THEME: "contrast", INK_SCREEN_READER: "true" })
    assert(request._tag === "Run")
    assert.strictEqual(request.arguments.theme, "light")
    assert.isTrue(request.arguments.screenReader)
  })
  it("names an unknown flag and what is allowed", () => {
    assert.include(refusal(["--colour"]), 'unknown flag "--colour"')
    assert.include(refusal(["--colour"]), "--theme")
    assert.include(refusal(["--constructor"]), 'unknown flag "--constructor"')
    assert.include(refusal(["-x"]), 'unknown flag "-x"')
    assert.include(refusal(["events"]), 'unexpected argument "events"')
  })
  it("names a bad value, its place and what is allowed", () => {
    assert.include(refusal(["--theme", "pink"]), '--theme is "pink"')
    assert.include(refusal([], { SIGNALBOX_THEME: "pink" }), "SIGNALBOX_THEME")
    assert.include(refusal([], { SIGNALBOX_THEME: "pink" }), "colour-blind")
    assert.include(refusal(["--theme"]), "needs a value")
    assert.include(refusal(["--connection", "--demo"]), "needs a value")
    assert.include(refusal(["--demo=1"]), "takes no value")
    assert.include(refusal(["--demo", "--connection", "eu"]), "exclude each other")
    assert.include(refusal(["--demo-events", "0"]), "from 1 to 100000")
    assert.include(refusal(["--demo-events", "1.5"]), "whole number")
  })
  it("prints help and version", () => {
    assert.deepStrictEqual(read(["--version"]), { _tag: "Print", text: "1.2.3\n" })
    const help = read(["-h"])
    assert(help._tag === "Print")
    assert.include(help.text, "--reset-terminal")
  })
})
