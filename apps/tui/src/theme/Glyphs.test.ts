import { assert, describe, it } from "@effect/vitest"
import { plainCells } from "@signalbox/operator/text/PlainCells"
import { glyphs } from "./Glyphs.ts"

describe("glyphs", () => {
  it("are measured without the tables of emoji", () => {
    for (const signs of Object.values(glyphs)) {
      for (const sign of Object.values(signs)) assert.strictEqual(plainCells(sign), sign.length, sign)
    }
  })
})
