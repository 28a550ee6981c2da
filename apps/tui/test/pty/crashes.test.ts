import { folderOfTest } from "@signalbox/testing/Folder"
import { gone, isRunning, preload } from "@signalbox/testing/Program"
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { page, serve } from "./Service.ts"
import { open, type Terminal } from "./Terminal.ts"

const key = "key-of-the-tests-4711"
const token = "dGhpcy1pcy1hLXRva2Vu:of_a-device"
const webhook = "https://hooks.example.test/T0/abcd"

const secrets = [key, Buffer.from(key).toString("base64"), token, webhook]

/** An error of a program may quote what it works with. */
const quoting = "Error(process.env.QUOTED)"

/** A function of the platform that throws the next time it is used. */
const once = (owner: string, name: string): string =>
  `const before = ${owner}.${name}; ${owner}.${name} = () => { ${owner}.${name} = before; throw new ${quoting} }`

/** Code that runs in the program when it receives the signal. */
const onSignal = (code: string) => ({
  QUOTED: `cannot read ${secrets.join(" ")} of undefined`,
  ...preload(`process.on("SIGUSR2", () => setImmediate(() => { ${code} }))`)
})

const crashes: Readonly<Record<string, string>> = {
  "an exception": `throw new ${quoting}`,
  "an unhandled rejection": `Promise.reject(new ${quoting})`,
  // The reducers are the first to use it when a key arrives.
  "an exception in a reducer": `${once("Math", "min")}; process.stdin.unshift("j")`,
  "an exception while a frame is drawn": `String.prototype.padStart = () => { throw new ${quoting} }; process.stdin.unshift("j")`,
  "something that is no error": "throw process.env.QUOTED"
}

const assertPlainReport = (terminal: Terminal, written: string) => {
  assert.deepStrictEqual(terminal.modes(), { alternate: false, paste: false, mouse: false })
  assert.match(
    written,
    /signalbox: internal error: (?:Error: )?cannot read (?:<redacted> ){4}of undefined\. Please report it\.\r?$/mu
  )
  for (const secret of [...secrets, "T0/abcd"]) assert.notInclude(written, secret)
}

describe("a crash", () => {
  it.each(Object.entries(crashes))("by %s restores the terminal and is reported without secrets", async (_, code) => {
    using service = await serve(page(3))
    using terminal = open({
      columns: 160,
      environment: { SIGNALBOX_API_KEY: key, SIGNALBOX_BASE_URL: service.url, ...onSignal(code) }
    })
    await terminal.idle()
    terminal.kill("SIGUSR2")
    assert.deepStrictEqual(await terminal.ended, { exitCode: 1, signal: 0 })
    assertPlainReport(terminal, terminal.taken())
  })

  it("in a form shows nothing that was typed", async () => {
    using service = await serve(page(3))
    using terminal = open({
      columns: 120,
      rows: 40,
      environment: { SIGNALBOX_API_KEY: key, SIGNALBOX_BASE_URL: service.url, ...onSignal(`throw new ${quoting}`) }
    })
    await terminal.idle()
    await terminal.press("c")
    await terminal.press(`\u001B[200~${webhook}\u001B[201~`)
    terminal.taken()
    terminal.kill("SIGUSR2")
    assert.strictEqual((await terminal.ended).exitCode, 1)
    assertPlainReport(terminal, terminal.taken())
  })
})

describe("a terminal that is gone", () => {
  it.each([
    ["with its hangup signal", ""],
    ["without its hangup signal", "trap '' HUP; "]
  ])("ends the program, %s", async (_, before) => {
    const folder = folderOfTest()
    const pidFile = join(folder, "pid")
    const terminal = open({
      environment: { PID_FILE: pidFile },
      shell: `${before}sh -c 'echo $$ > "$PID_FILE"; exec "$NODE" "$PROGRAM"'`
    })
    await terminal.idle()
    const pid = Number(readFileSync(pidFile, "utf8"))
    assert.isTrue(isRunning(pid))
    // Closes stdin and stdout of the program at once.
    terminal.hangUp()
    await gone(pid)
    terminal[Symbol.dispose]()
  })
})
