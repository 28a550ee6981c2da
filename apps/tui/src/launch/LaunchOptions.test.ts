import { assert, describe, it } from "@effect/vitest"
import { readUiOptions, withEnvironment } from "./LaunchOptions.ts"

describe("withEnvironment", () => {
  it("reads the environment, and options before it", () => {
    const environment = { SIGNALBOX_THEME: "contrast", INK_SCREEN_READER: "true" }
    assert.deepStrictEqual(withEnvironment({ theme: "light" }, environment), { theme: "light", screenReader: true })
    assert.deepStrictEqual(withEnvironment({}, environment), { theme: "contrast", screenReader: true })
    assert.deepStrictEqual(withEnvironment({ filter: "a" }, {}), { filter: "a", screenReader: false })
  })

  it("names a theme that it does not know, and the known ones", () => {
    const message = withEnvironment({}, { SIGNALBOX_THEME: "pink" })
    assert.include(message, 'SIGNALBOX_THEME is "pink"')
    assert.include(message, "colour-blind")
  })
})

describe("readUiOptions", () => {
  it("reads flags that have one meaning", () => {
    assert.deepInclude(readUiOptions([]), { screenReader: undefined, theme: undefined })
    const words = [
      "-c",
      "eu",
      "--filter=after:24h -status:ok",
      "--since",
      "6h",
      "--theme",
      "light",
      "--ascii",
      "--mask"
    ]
    assert.deepInclude(readUiOptions(words), {
      connection: "eu",
      filter: "after:24h -status:ok",
      since: "6h",
      theme: "light",
      ascii: true,
      mask: true
    })
    assert.deepInclude(readUiOptions(["--screen-reader", "--replay", "a b.ndjson"]), {
      screenReader: true,
      replay: "a b.ndjson"
    })
  })

  it.each([
    ["an unknown flag", ["--colour"]],
    ["an unknown theme", ["--theme", "pink"]],
    ["no value", ["-c"]],
    ["an empty value", ["-c", ""]],
    ["a flag instead of a value", ["--filter", "--mask"]],
    ["a value of a switch", ["--mask=no"]],
    ["a flag given twice", ["--since", "1h", "--since", "2h"]],
    ["a word", ["eu"]],
    ["the end of flags", ["--"]]
  ])("leaves %s to the command line", (_, words) => {
    assert.isUndefined(readUiOptions(words))
  })
})
