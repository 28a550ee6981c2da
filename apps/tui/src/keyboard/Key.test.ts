import { assert, describe, it } from "@effect/vitest"
import { fromInk } from "./Key.ts"

const names = (input: string, flags = {}) => fromInk(input, flags).map(({ name }) => name)

describe("fromInk", () => {
  it("splits a burst into one key a grapheme", () => {
    assert.deepStrictEqual(names("jjj"), ["j", "j", "j"])
    assert.deepStrictEqual(names("ab\rcd"), ["a", "b", "enter", "c", "d"])
    assert.deepStrictEqual(names("10j"), ["1", "0", "j"])
  })
  it("keeps an emoji, a flag and a combined letter whole", () => {
    assert.deepStrictEqual(names("👩‍👩‍👧🇩🇪é"), ["👩‍👩‍👧", "🇩🇪", "é"])
  })
  it("names flagged keys", () => {
    assert.deepStrictEqual(names("", { downArrow: true }), ["down"])
    assert.deepStrictEqual(names("\r", { return: true }), ["enter"])
    assert.deepStrictEqual(names("\t", { tab: true, shift: true }), ["shift-tab"])
    assert.deepStrictEqual(names("\t", { tab: true }), ["tab"])
    assert.deepStrictEqual(names("\r", { return: true, shift: true }), ["shift-enter"])
    assert.deepStrictEqual(names("", { downArrow: true, shift: true }), ["down"])
    assert.deepStrictEqual(names("d", { ctrl: true }), ["ctrl-d"])
    assert.deepStrictEqual(names("", { escape: true, meta: true }), ["escape"])
  })
  it("reads Alt as Escape before the key, which is what the bytes are", () => {
    assert.deepStrictEqual(names("q", { meta: true }), ["escape", "q"])
    assert.deepStrictEqual(names("", { meta: true, upArrow: true }), ["escape", "up"])
  })
  it("types a space and drops what types nothing", () => {
    assert.deepStrictEqual(fromInk(" ", {}), [{ name: "space", text: " " }])
    assert.deepStrictEqual(fromInk("", {}), [])
    assert.deepStrictEqual(fromInk("\u0085", {}), [])
    assert.deepStrictEqual(fromInk("j", { eventType: "release" }), [])
  })
})
