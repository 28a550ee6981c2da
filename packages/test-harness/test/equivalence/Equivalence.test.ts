import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { surfaces } from "./Play.ts"
import { Program } from "./Program.ts"

describe("same seed, same bytes", () => {
  it.live.prop(
    "a program leaves the same answers, journal and state behind on every surface",
    [Program],
    ([program]) =>
      Effect.promise(async () => {
        const fetch = await surfaces.fetch(program)
        assert.deepStrictEqual(await surfaces.layer(program), fetch, "Layer")
        assert.deepStrictEqual(await surfaces.server(program), fetch, "server")
      }),
    { arbitrary: { runs: 300 } }
  )

  it.live.prop(
    "a program leaves the same behind every time",
    [Program],
    ([program]) =>
      Effect.promise(async () => {
        assert.deepStrictEqual(await surfaces.fetch(program), await surfaces.fetch(program))
      }),
    { arbitrary: { runs: 50 } }
  )
})
