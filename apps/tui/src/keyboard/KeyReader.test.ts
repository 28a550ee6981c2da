import { assert, describe, it } from "@effect/vitest"
import type { InkFlags } from "./Key.ts"
import { makeKeyReader } from "./KeyReader.ts"

const escaped: InkFlags = { meta: true }

const make = () => {
  const names: Array<string> = []
  let time = 0
  let due: ReadonlyArray<() => void> = []
  const read = makeKeyReader(
    (keys) => names.push(...keys.map(({ name }) => name)),
    () => time,
    (run) => (due = [...due, run])
  )
  return {
    read,
    names,
    /** The read is over. */
    end: () => {
      for (const run of due) run()
      due = []
    },
    pass: (milliseconds: number) => (time += milliseconds)
  }
}

describe("answers of the terminal to another program", () => {
  for (const [what, letter, text] of [
    ["a colour", "]", "11;rgb:1e1e/1e1e/1e1e"],
    ["a title", "]", "0;some title"],
    ["the name of the terminal", "P", ">|xterm(388)"],
    ["a setting", "P", '1$r0"q'],
    ["a capability", "P", "1+r544e=787465726d"],
    ["an attribute", "P", "!|7E565445"]
  ] as const) {
    it(`are no keys: ${what}`, () => {
      const { end, names, read } = make()
      read(letter, escaped)
      read(text, {})
      read("\\", escaped)
      read("j", {})
      end()
      assert.deepStrictEqual(names, ["j"])
    })
  }
  it("end with a bell, too, and in a later read", () => {
    const { end, names, pass, read } = make()
    read("]", escaped)
    read("11;rgb:1e1e/", {})
    end()
    pass(300)
    read("1e1e/1e1e\u0007jk", {})
    read("l", {})
    end()
    assert.deepStrictEqual(names, ["j", "k", "l"])
  })
  it("do not swallow keys when their end never comes", () => {
    const { end, names, pass, read } = make()
    read("P", escaped)
    read(">|xterm", {})
    end()
    pass(501)
    read("j", {})
    assert.deepStrictEqual(names, ["j"])
  })
})

describe("an escape and a letter in one read", () => {
  it("are two keys, when the read is over or something else follows", () => {
    for (const letter of ["]", "P", "X"]) {
      const alone = make()
      alone.read(letter, escaped)
      alone.end()
      assert.deepStrictEqual(alone.names, ["escape", letter])
      const followed = make()
      followed.read(letter, escaped)
      followed.read("jj", {})
      followed.end()
      assert.deepStrictEqual(followed.names, ["escape", letter, "j", "j"])
    }
  })
})
