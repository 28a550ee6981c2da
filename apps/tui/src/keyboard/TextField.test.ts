import { assert, describe, it } from "@effect/vitest"
import { fromInk } from "./Key.ts"
import { edit, insert, make, text, type TextField } from "./TextField.ts"

const press = (field: TextField, ...names: ReadonlyArray<string>): TextField =>
  names.reduce((current, name) => edit(current, name.length === 1 ? { name, text: name } : { name }) ?? current, field)

describe("TextField", () => {
  it("edits around the cursor", () => {
    assert.strictEqual(text(press(make("abd"), "left", "c")), "abcd")
    assert.strictEqual(text(press(make("abc"), "home", "delete")), "bc")
    assert.strictEqual(text(press(make("one two  "), "ctrl-w")), "one ")
    assert.strictEqual(text(press(make("abcdef"), "left", "left", "ctrl-u")), "ef")
    assert.strictEqual(text(press(make("abcdef"), "ctrl-a", "right", "ctrl-k")), "a")
  })
  it("moves to the start and the end without typing a letter", () => {
    assert.strictEqual(text(press(make("bc"), "ctrl-a", "a", "ctrl-e", "d")), "abcd")
  })
  it("removes a whole emoji with one backspace", () => {
    assert.strictEqual(text(press(make("x👩‍👩‍👧"), "backspace")), "x")
  })
  it("joins a combining mark to the letter before it", () => {
    assert.deepStrictEqual(insert(make("e"), "\u0301").graphemes, ["e\u0301"])
    assert.strictEqual(insert(make("e"), "\u0301").cursor, 1)
  })
  it("stays inside at both ends and leaves other keys alone", () => {
    assert.strictEqual(press(make("a"), "left", "left", "left").cursor, 0)
    assert.strictEqual(press(make("a"), "right", "right").cursor, 1)
    assert.strictEqual(edit(make("a"), { name: "enter" }), undefined)
  })
  it("loses nothing of a burst", () => {
    const keys = fromInk("https://h.test/1", {})
    assert.strictEqual(text(keys.reduce((field, key) => edit(field, key) ?? field, make())), "https://h.test/1")
  })
})
