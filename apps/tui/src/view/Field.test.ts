import { assert, describe, it } from "@effect/vitest"
import { make, type TextField } from "../keyboard/TextField.ts"
import { width } from "@signalbox/operator/text/Width"
import { type FieldLook, fieldSpans } from "./Field.ts"

const drawn = (field: TextField, columns: number, look: FieldLook = { focused: true }) =>
  fieldSpans(field, columns, look)
    .map(({ text }) => text)
    .join("")

const at = (text: string, cursor: number): TextField => ({ ...make(text), cursor })

describe("a field", () => {
  it("shows a short text whole, with a cell for the cursor", () => {
    assert.strictEqual(drawn(make("abc"), 6), "abc   ")
  })
  it("reports on either side that there is more", () => {
    assert.strictEqual(drawn(make("abcdefghij"), 6), "…ghij ")
    assert.strictEqual(drawn(at("abcdefghij", 0), 6), "abcde…")
    assert.strictEqual(drawn(at("abcdefghij", 5), 6), "…cdef…")
  })
  it("uses exactly its cells, wherever the cursor is and whatever is typed", () => {
    for (const text of ["", "abcdefghij", "漢字漢字漢字漢字", "a漢b字c漢d字e", "\u001B[31m\u202E\u200B👩‍👩‍👧 x"]) {
      const { graphemes } = make(text)
      for (let cursor = 0; cursor <= graphemes.length; cursor += 1) {
        for (const columns of [10, 11, 14]) assert.strictEqual(width(drawn(at(text, cursor), columns)), columns, text)
      }
    }
  })
  it("shows only the end of a secret, and nothing of a short one", () => {
    assert.strictEqual(drawn(make("abcdefghij"), 12, { focused: false, secret: true }), "******ghij  ")
    assert.strictEqual(drawn(make("abcdefgh"), 12, { focused: false, secret: true }), "********    ")
  })
})
