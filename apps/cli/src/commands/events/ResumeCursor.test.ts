import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as ResumeCursor from "./ResumeCursor.ts"

describe("ResumeCursor", () => {
  it.effect.prop("is one word that reads back", [ResumeCursor.ResumeCursor], ([cursor]) =>
    Effect.sync(() => {
      const text = ResumeCursor.format(cursor)
      assert.match(text, /^[\w-]+$/u)
      assert.deepStrictEqual({ ...ResumeCursor.parse(text) }, { ...cursor })
    })
  )

  it.each(["", "x", "e30", "eyJ2ZXJzaW9uIjoyLCJmaWx0ZXIiOiIiLCJza2lwIjowfQ"])("refuses %j", (text) =>
    assert.isUndefined(ResumeCursor.parse(text))
  )
})
