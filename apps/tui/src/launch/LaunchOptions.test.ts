import { assert, describe, it } from "@effect/vitest"
import { withEnvironment } from "./LaunchOptions.ts"

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
