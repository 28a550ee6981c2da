import { preload } from "@signalbox/testing/Program"
import { assert, describe, it } from "@effect/vitest"
import { makeConfiguration } from "./Configuration.ts"
import { cursorLine, open, type Terminal } from "./Terminal.ts"

const withMouse = () => makeConfiguration("mouse = true", {}).environment

const wheel = { up: "\u001B[<64;5;9M", down: "\u001B[<65;5;9M" }

/** A click on a row, counted from 0: the button goes down and up. */
const click = (row: number, column = 5) => `\u001B[<0;${column};${row + 1}M\u001B[<0;${column};${row + 1}m`

const assertOff = ({ modes }: Terminal) =>
  assert.deepStrictEqual(modes(), { alternate: false, paste: false, mouse: false })

describe("the mouse", () => {
  it("is off unless the configuration file turns it on", async () => {
    using terminal = open()
    await terminal.idle()
    assert.isFalse(terminal.modes().mouse)
  })

  it("scrolls by the wheel and selects by a click, in every list", async () => {
    using terminal = open({ environment: withMouse(), columns: 80, rows: 24 })
    await terminal.idle()
    assert.isTrue(terminal.modes().mouse)
    const first = cursorLine(terminal)
    await terminal.press(wheel.down)
    assert.strictEqual(cursorLine(terminal), first + 3)
    await terminal.press(wheel.up)
    assert.strictEqual(cursorLine(terminal), first)
    await terminal.press(click(first + 5))
    assert.strictEqual(cursorLine(terminal), first + 5)
    // A click outside of the list, and a turn of the wheel in a prompt, do nothing.
    await terminal.press(click(0))
    await terminal.press("/")
    await terminal.press(wheel.down)
    await terminal.press("\u007F")
    assert.strictEqual(cursorLine(terminal), first + 5)
    await terminal.press("C")
    const cause = cursorLine(terminal)
    await terminal.press(click(cause + 2))
    assert.strictEqual(cursorLine(terminal), cause + 2)
    terminal.send("q")
    await terminal.ended
    assertOff(terminal)
  })

  it("is switched off for the shell, and on again", async () => {
    using terminal = open({
      environment: withMouse(),
      shell: `set -m; sh -c '"$NODE" "$PROGRAM"; exit'; echo STOPPED; read -r _; fg; echo LEFT`
    })
    await terminal.idle()
    terminal.send("\u001A")
    await terminal.shows("STOPPED")
    assertOff(terminal)
    terminal.sendElsewhere("\n")
    await terminal.shows("SIGNALBOX")
    await terminal.press("j")
    assert.isTrue(terminal.modes().mouse)
    terminal.send("q")
    await terminal.shows("LEFT")
    assertOff(terminal)
  })

  it.each([
    ["a signal", "SIGTERM", {}],
    ["a crash", "SIGUSR2", preload(`process.on("SIGUSR2", () => setImmediate(() => { throw new Error("x") }))`)]
  ] as const)("is switched off by %s", async (_, signal, more) => {
    using terminal = open({ environment: { ...withMouse(), ...more } })
    await terminal.idle()
    terminal.kill(signal)
    await terminal.ended
    assertOff(terminal)
  })
})
