import { assert, describe, it } from "@effect/vitest"
import { type Chord, empty, feed, pending } from "./Chord.ts"

const bound = new Set(["j", "g g", "g e", "G", "5 x"])

const type = (keys: ReadonlyArray<string>): { readonly chord: Chord; readonly matches: ReadonlyArray<string> } => {
  const matches: Array<string> = []
  let chord = empty
  for (const name of keys) {
    const next = feed(chord, { name }, bound)
    chord = next.chord
    if (next.match !== undefined) matches.push(`${next.match.count ?? ""}${next.match.sequence}`)
  }
  return { chord, matches }
}

describe("feed", () => {
  it("matches a key, a sequence and a count", () => {
    assert.deepStrictEqual(type(["j", "g", "g", "1", "0", "j", "3", "g", "g"]).matches, ["j", "g g", "10j", "3g g"])
  })
  it("shows what is unfinished", () => {
    assert.strictEqual(pending(type(["1", "0", "g"]).chord), "10g")
  })
  it("drops a key that continues nothing and tries it alone", () => {
    assert.deepStrictEqual(type(["g", "j"]).matches, ["j"])
    assert.deepStrictEqual(type(["g", "z", "j"]).matches, ["j"])
  })
  it("does not begin a count with zero and limits its length", () => {
    assert.deepStrictEqual(type(["0", "j"]).matches, ["j"])
    assert.deepStrictEqual(type([..."1234567", "j"]).matches, ["12345j"])
  })
})
