import { PassThrough } from "node:stream"
import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { askGround, groundFrom, groundIn } from "./Background.ts"

describe("the background in a response of the terminal", () => {
  it.each([
    ["\u001B]11;rgb:ffff/ffff/ffff\u0007", "light"],
    ["\u001B]11;rgb:fd/f6/e3\u001B\\", "light"],
    ["\u001B]11;rgb:0000/2b2b/3636\u0007", "dark"],
    ["j\u001B]11;rgba:1e1e/1e1e/1e1e/ffff\u0007k", "dark"],
    ["\u001B]11;rgb:ffff/ffff", undefined],
    ["", undefined]
  ] as const)("%j is %s", (text, ground) => {
    assert.strictEqual(groundIn(text), ground)
  })
})

describe("COLORFGBG", () => {
  it.each([
    ["0;15", "light"],
    ["0;default;7", "light"],
    ["15;0", "dark"],
    ["12;8", "dark"],
    ["default", undefined],
    [undefined, undefined]
  ] as const)("%s is %s", (COLORFGBG, ground) => {
    assert.strictEqual(groundFrom({ COLORFGBG }), ground)
  })
})

describe("asking the terminal", () => {
  const open = () => {
    const keyboard = Object.assign(new PassThrough(), { isRaw: false, setRawMode: () => keyboard })
    let expire = () => {}
    const written: Array<string> = []
    const ground = askGround(
      // The methods that are used are those of any stream that can be read.
      keyboard as unknown as NodeJS.ReadStream,
      (text) => written.push(text),
      (_, run) => {
        expire = run
        return () => {}
      }
    )()
    return { keyboard, ground, written, expire: () => expire() }
  }

  it("returns what the terminal responds, and keeps keys that were typed meanwhile", async () => {
    const { ground, keyboard, written } = open()
    assert.deepStrictEqual(written, ["\u001B]11;?\u0007"])
    keyboard.write("jj\u001B]11;rgb:ffff")
    keyboard.write("/ffff/ffff\u0007G")
    assert.strictEqual(await ground, "light")
    assert.strictEqual(String(keyboard.read()), "jjG")
  })

  it("returns nothing where the terminal does not respond in time", async () => {
    const { expire, ground, keyboard } = open()
    keyboard.write("q")
    await setImmediate()
    expire()
    assert.isUndefined(await ground)
    assert.strictEqual(String(keyboard.read()), "q")
  })
})
