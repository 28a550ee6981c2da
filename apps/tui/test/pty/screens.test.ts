import { preload } from "@signalbox/testing/Program"
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { cursorLine, open, program } from "./Terminal.ts"

describe("keys", () => {
  it("moves once for each key of one read", async () => {
    using terminal = open()
    await terminal.idle()
    const first = cursorLine(terminal)
    await terminal.press("jjj")
    assert.strictEqual(cursorLine(terminal), first + 3)
    await terminal.press("kk")
    assert.strictEqual(cursorLine(terminal), first + 1)
  })
  it("understands an arrow that arrives in two pieces", async () => {
    // Ink waits 20 ms for the rest of a sequence. Here it waits until the rest is there, so that the test sends it after
    // the program has read the first piece.
    using terminal = open({
      environment: preload(
        "const start = setTimeout; globalThis.setTimeout = (run, ms, ...rest) => start(run, ms === 20 ? 1e9 : ms, ...rest)"
      )
    })
    await terminal.idle()
    const first = cursorLine(terminal)
    await terminal.press("\u001B")
    await terminal.press("[B")
    assert.strictEqual(cursorLine(terminal), first + 1)
  })
  it("opens an event, goes back to the same place, and quits with a clean terminal", async () => {
    using terminal = open()
    await terminal.idle()
    await terminal.press("jj\r")
    assert.include(terminal.text(), "PROVIDER")
    await terminal.press("\u001B")
    assert.strictEqual(cursorLine(terminal), 6)
    terminal.send("q")
    assert.deepStrictEqual(await terminal.ended, { exitCode: 0, signal: 0 })
    assert.deepStrictEqual(terminal.modes(), { alternate: false, paste: false, mouse: false })
  })
  it("accepts a paste as text: q does not quit, a field gets it", async () => {
    using terminal = open()
    await terminal.idle()
    await terminal.press("\u001B[200~qqq\u001B[201~")
    assert.include(terminal.text(), "nothing to paste into here")
    await terminal.press(":")
    await terminal.press("\u001B[200~theme\u001B[201~")
    assert.include(terminal.text(), ":theme")
  })
  it("leaves no trace of a mouse report", async () => {
    using terminal = open()
    await terminal.idle()
    await terminal.press("/")
    await terminal.press("\u001B[<0;10;5M")
    assert.match(terminal.text(), /filter: *$/mu)
  })
})

describe("what the terminal answers to a program that was here before", () => {
  it("does nothing, also when it arrives in pieces", async () => {
    // The rest of an answer may take 500 ms, by a clock that stands still here.
    using terminal = open({ environment: preload("performance.now = () => 1") })
    await terminal.idle()
    const before = terminal.text()
    await terminal.press("\u001B]10;rgb:1e1e/1e1e/1e1e\u001B\\")
    await terminal.press("\u001BP>|xterm(388)\u001B\\\u001B]10;rgb:ffff/ffff/ffff\u0007")
    terminal.send("\u001B]10;rgb:1e1e/")
    await terminal.press("1e1e/1e1e\u0007")
    await terminal.press("\u001B[?1;2c\u001B[24;80R\u001B[0n")
    assert.strictEqual(terminal.text(), before)
    await terminal.press("j")
    assert.strictEqual(cursorLine(terminal), 5)
  })
})

describe("secrets", () => {
  it("are shown by v, and hidden again when ten seconds have passed", async () => {
    // Only the test moves the clock; the program finds out at its next second.
    const clock = "let now = Date.now(); Date.now = () => now; process.on('SIGUSR2', () => { now += 10_000 })"
    const hook = "https://hooks.example.test/services/T0/B0/shown-1234"
    using terminal = open({ environment: preload(clock) })
    await terminal.idle()
    await terminal.press("F")
    await terminal.press("c")
    await terminal.press(`\u001B[200~${hook}\u001B[201~`)
    await terminal.press("\u0013")
    await terminal.press("\u0007")
    assert.notInclude(terminal.text(), hook)
    terminal.send("v")
    await terminal.shows(hook)
    await terminal.shows("v hides them")
    terminal.kill("SIGUSR2")
    await terminal.shows("(hidden, v shows")
    assert.notInclude(terminal.text(), hook)
  })
})

describe("the size of the terminal", () => {
  it("keeps the cursor and fills the screen through a storm of resizes", async () => {
    using terminal = open({ columns: 120, rows: 40 })
    await terminal.idle()
    await terminal.press("jjjjjjjjj")
    for (const [columns, rows] of [
      [60, 15],
      [200, 50],
      [61, 16],
      [110, 30],
      [59, 14],
      [80, 24]
    ] as const) {
      terminal.resize(columns, rows)
    }
    await terminal.resized()
    await terminal.shows("10/")
    const lines = terminal.lines()
    assert.strictEqual(lines.length, 24)
    assert.include(lines[0], "SIGNALBOX")
    assert.include(lines[23], "help")
  })
  it("reports what it needs when it is too small, and continues when it is large enough", async () => {
    using terminal = open({ columns: 50, rows: 10 })
    await terminal.shows("Signalbox needs 60x15")
    terminal.resize(80, 24)
    await terminal.shows("WORKFLOW")
    terminal.send("q")
    assert.strictEqual((await terminal.ended).exitCode, 0)
  })
})

describe("without a terminal", () => {
  const run = (args: ReadonlyArray<string>, environment = {}) =>
    spawnSync(process.execPath, [program, ...args], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"], ...environment }
    })
  it("names the command that prints events", () => {
    const { stderr, stdout, status } = run([])
    assert.strictEqual(stdout, "")
    assert.match(stderr, /^signalbox: [^\n]* use signalbox events list\n$/u)
    assert.strictEqual(status, 2)
  })
  it("prints its version and help", () => {
    assert.match(run(["--version"]).stdout, /^\d+\.\d+\.\d+\n$/u)
    assert.include(run(["--help"]).stdout, "signalbox ui --help")
  })
  it("refuses what it does not know in one line, with 2", () => {
    for (const [args, environment] of [
      [["--bogus"], {}],
      [["--theme", "light"], {}],
      [[], { SIGNALBOX_THEME: "pink" }],
      [[], { SIGNALBOX_BASE_URL: "http://127.0.0.1:1" }]
    ] as const) {
      const { stdout, stderr, status } = run(args, environment)
      assert.strictEqual(stdout, "")
      assert.match(stderr, /^signalbox: .+\n$/u)
      assert.notInclude(stderr, "needs a terminal")
      assert.strictEqual(status, 2)
    }
  })
})

describe("how it is drawn", () => {
  it("names the command for a dumb terminal, without any sequence", async () => {
    using terminal = open({ environment: { TERM: "dumb" }, columns: 200 })
    assert.deepStrictEqual(await terminal.ended, { exitCode: 2, signal: 0 })
    const written = terminal.taken()
    assert.notInclude(written, "\u001B")
    assert.include(written, "use signalbox events list")
  })
  it("writes no colour under NO_COLOR", async () => {
    using terminal = open({ environment: { NO_COLOR: "1" } })
    await terminal.idle()
    const colours = terminal
      .taken()
      .split("\u001B[")
      .filter((part) => /^[\d;]*(?:3[0-8]|4[0-8]|9[0-7])[\d;]*m/u.test(part))
    assert.deepStrictEqual(colours, [])
  })
  it("writes only ASCII with --ascii", async () => {
    using terminal = open({ flags: ["--ascii"] })
    await terminal.idle()
    assert.notMatch(terminal.text(), /[✓✗─│┃›•▸▾█┄…→·]/u)
  })
  it("reads line by line for a screen reader, outside of the alternate screen", async () => {
    using terminal = open({ flags: ["--screen-reader"], columns: 120, rows: 28 })
    await terminal.shows("keys: enter open, ")
    assert.isFalse(terminal.modes().alternate)
    await terminal.idle()
    terminal.taken()
    await terminal.press("j")
    const changed = terminal.taken()
    assert.lengthOf(changed.match(/current, /gu) ?? [], 1)
    assert.notInclude(changed, "keys:")
    assert.isAtMost(changed.match(/\r\n/gu)?.length ?? 0, 5)
    // A sentence is read to its end before anything else, however wide the terminal is.
    await terminal.press("\r")
    assert.match(
      terminal.taken(),
      /WHY\s+The subscriber has no webhook URL[^.A-Z]+nowhere\s+to\s+send\s+the\s+message\./u
    )
  })
})
