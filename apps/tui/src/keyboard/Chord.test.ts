import { assert, describe, it } from "@effect/vitest"
import { type Chord, empty, feed, pending } from "./Chord.ts"

const bound = new Set(["j", "g g", "g e", "G", "5"])

const type = (keys: ReadonlyArray<string>): { readonly chord: Chord; readonly matches: ReadonlyArray<string> } => {
  const matches: Array<string> = []
  let chord = empty
  for (const name of keys) {
    const next = feed(chord, { name }, bound)
    chord = next.chord
    if (next.match !== undefined) matches.push(next.match)
  }
  return { chord, matches }
}

describe("feed", () => {
  it("matches a key, a digit and a sequence", () => {
    assert.deepStrictEqual(type(["j", "g", "g", "5", "7", "j"]).matches, ["j", "g g", "5", "j"])
  })
  it("shows what is unfinished", () => {
    assert.strictEqual(pending(type(["j", "g"]).chord), "g")
  })
  it("drops a key that continues nothing and tries it alone", () => {
    assert.deepStrictEqual(type(["g", "j"]).matches, ["j"])
    assert.deepStrictEqual(type(["g", "z", "j"]).matches, ["j"])
  })
})
