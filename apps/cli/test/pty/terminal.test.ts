import { folderOfTest } from "@signalbox/testing/Folder"
import { gone, preload } from "@signalbox/testing/Program"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, assert, beforeEach, describe, it } from "@effect/vitest"
import { spawn } from "@lydell/node-pty"
import xterm from "@xterm/headless"
import { serveFake, type ServedFake } from "../CommandLineTest.ts"
import { program } from "../BuiltProgram.ts"

const webhook = "https://hooks.example.test/services/T0/B0/K7q2x9"

let served: ServedFake

beforeEach(async () => {
  served = await serveFake()
  served.fake.addSubscriber({ subscriberId: "u_1" })
})

afterEach(() => served.close())

/** The program, or another, in a pseudo-terminal, with an emulator that shows what a person would see. */
const open = (
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {},
  [file, ...words]: readonly [string, ...ReadonlyArray<string>] = [process.execPath, program, ...args]
) => {
  const child = spawn(file, words, {
    cols: 80,
    rows: 24,
    env: {
      PATH: process.env["PATH"],
      HOME: "/dev/null",
      TERM: "xterm-256color",
      XDG_STATE_HOME: join(tmpdir(), "signalbox-state-of-tests"),
      XDG_CACHE_HOME: fileURLToPath(new URL("../../node_modules/.cache", import.meta.url)),
      ...served.environment,
      ...environment
    }
  })
  const emulator = new xterm.Terminal({ cols: 80, rows: 24, allowProposedApi: true })
  let written = ""
  let check = () => {}
  child.onData((data) => {
    written += data
    emulator.write(data, () => check())
  })
  const ended = new Promise<number>((resolve) => {
    child.onExit(({ exitCode }) => resolve(exitCode))
  })
  const shows = (text: string) =>
    new Promise<void>((resolve) => {
      check = () => {
        const { active } = emulator.buffer
        const lines = Array.from({ length: active.length }, (_, at) => active.getLine(at)?.translateToString() ?? "")
        if (lines.join("").includes(text)) resolve()
      }
      check()
    })
  return { pid: child.pid, ended, shows, type: (text: string) => child.write(text), written: () => written }
}

const requests = () => served.fake.journal.entries().length

describe("on a terminal", () => {
  it("prints a table with colours, and none with NO_COLOR", async () => {
    const coloured = open(["events", "list", "--limit", "5"])
    assert.strictEqual(await coloured.ended, 0)
    assert.include(coloured.written(), "\u001B[1mTIME")
    const plain = open(["events", "list", "--limit", "5", "--quiet"], { NO_COLOR: "1" })
    assert.strictEqual(await plain.ended, 0)
    assert.notInclude(plain.written(), "\u001B[")
    for (const line of plain.written().split("\r\n")) assert.isAtMost(line.length, 80)
  })

  it("offers to set the vendor that the events show", async () => {
    const folder = folderOfTest()
    const config = join(folder, "signalbox", "config.toml")
    const other = await serveFake({ vendor: "acme" })
    mkdirSync(join(folder, "signalbox"))
    writeFileSync(config, `[connections.eu]\nbaseUrl = "${other.url}"\napiKeyEnv = "SIGNALBOX_API_KEY"\n`)
    const environment = { XDG_CONFIG_HOME: folder, SIGNALBOX_API_KEY: other.fake.apiKey }
    const terminal = open(["doctor", "--connection", "eu"], environment)
    await terminal.shows('Set vendor = "acme" for "eu" in config.toml? [y/N]')
    terminal.type("y\r")
    assert.strictEqual(await terminal.ended, 0)
    assert.include(readFileSync(config, "utf8"), 'vendor = "acme"')
    const again = open(["events", "list", "--connection", "eu", "--quiet"], environment)
    assert.strictEqual(await again.ended, 0)
    assert.notInclude(again.written(), "signalbox:")
    await other.close()
  })

  it("prompts for a secret without showing it, then whether to write", async () => {
    const terminal = open(["credentials", "upsert", "--subscriber", "u_1", "--provider", "slack"])
    await terminal.shows("Webhook URL for slack: ")
    terminal.type(`${webhook}\r`)
    await terminal.shows("[y/N]")
    terminal.type("y")
    await terminal.shows("[y/N] y")
    assert.strictEqual(requests(), 0)
    terminal.type("\r")
    assert.strictEqual(await terminal.ended, 0)
    assert.include(terminal.written(), "Set slack credentials of u_1")
    assert.notInclude(terminal.written(), webhook)
    assert.strictEqual(requests(), 1)
  })

  it.each([{ args: [] }, { args: ["ui", "--connection", "demo"] }])(
    "opens the terminal UI with $args",
    async ({ args }) => {
      const terminal = open(args)
      await terminal.shows(" quit")
      terminal.type("q")
      assert.strictEqual(await terminal.ended, 0)
    }
  )

  it("refuses a filter that it does not know before it draws, with 2", async () => {
    const terminal = open(["ui", "-c", "demo", "--filter", "nonsense:x"])
    assert.strictEqual(await terminal.ended, 2)
    assert.match(terminal.written(), /^signalbox: --filter: [^\n]*nonsense[^\n]*\n$/u)
  })

  it("resets a terminal", async () => {
    const terminal = open(["ui", "--reset-terminal"])
    assert.strictEqual(await terminal.ended, 0)
    assert.include(terminal.written(), "\u001B[?1049l")
  })

  it("reports a crash of the screens after they are left", async () => {
    const terminal = open(["ui"], {
      QUOTED: `cannot read ${served.fake.apiKey}`,
      ...preload(`process.on("SIGUSR2", () => setImmediate(() => { throw new Error(process.env.QUOTED) }))`)
    })
    await terminal.shows(" quit")
    process.kill(terminal.pid, "SIGUSR2")
    assert.strictEqual(await terminal.ended, 1)
    const [, afterwards = ""] = terminal.written().split("\u001B[?1049l")
    assert.include(afterwards, "signalbox: internal error: Error: cannot read <redacted>. Please report it.")
    assert.notInclude(terminal.written(), served.fake.apiKey)
  })

  it("leaves nothing running that a program under fake exec leaves behind", async () => {
    // The shell keeps the terminal open: when it closes, the system ends the rest anyway.
    const script = '"$NODE" "$PROGRAM" fake exec -- bash -c "sleep 1000 & echo pid \\$!"; echo finished; read'
    const terminal = open([], { NODE: process.execPath, PROGRAM: program }, ["bash", "-c", script])
    await terminal.shows("finished")
    const pid = Number(/pid (?<pid>\d+)/u.exec(terminal.written())?.groups?.["pid"])
    await gone(pid)
    terminal.type("\r")
    assert.strictEqual(await terminal.ended, 0)
  })

  it("ends with ctrl-c at a question and sends nothing", async () => {
    const terminal = open(["messages", "mark-as", "read", "m1", "--subscriber", "u_1"])
    await terminal.shows("[y/N]")
    terminal.type("\u0003")
    assert.strictEqual(await terminal.ended, 130)
    assert.strictEqual(requests(), 0)
  })
})
