import { folderOfTest } from "@signalbox/testing/Folder"
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { constants } from "node:os"
import { join } from "node:path"
import { vi } from "vitest"
import { cursorLine, open } from "./Terminal.ts"

const cachedIn = (path: string): ReadonlyArray<string> =>
  readdirSync(path, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))

describe("the signal of the debugger", () => {
  it("opens no debugger", async () => {
    using terminal = open()
    await terminal.idle()
    terminal.kill("SIGUSR1")
    await terminal.press("j")
    assert.strictEqual(cursorLine(terminal), 5)
    assert.notInclude(terminal.taken(), "Debugger")
  })
})

describe("ways out", () => {
  for (const signal of [
    "SIGTERM",
    "SIGINT",
    "SIGHUP",
    "SIGQUIT",
    "SIGALRM",
    "SIGABRT",
    "SIGXCPU",
    "SIGUSR2",
    "SIGPWR"
  ] as const) {
    it(`restores the terminal after ${signal}`, async () => {
      using terminal = open()
      await terminal.idle()
      assert.isTrue(terminal.modes().alternate)
      terminal.kill(signal)
      // The parent process sees which signal it was.
      assert.deepStrictEqual(await terminal.ended, { exitCode: 0, signal: constants.signals[signal] })
      assert.deepStrictEqual(terminal.modes(), { alternate: false, paste: false, mouse: false })
    })
  }
  it.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "restores the terminal after %s to the first frame",
    async (signal) => {
      using terminal = open()
      await terminal.until(() => terminal.modes().alternate)
      terminal.kill(signal)
      assert.deepStrictEqual(await terminal.ended, { exitCode: 0, signal: constants.signals[signal] })
      assert.deepStrictEqual(terminal.modes(), { alternate: false, paste: false, mouse: false })
    }
  )
  it("keeps its compiled form for the next start, also when it does not get to its end", async () => {
    const folder = folderOfTest()
    using terminal = open({ environment: { XDG_CACHE_HOME: folder } })
    await terminal.idle()
    await Promise.race([
      vi.waitFor(() => assert.isNotEmpty(cachedIn(folder)), { timeout: 170_000 }),
      terminal.ended.then((how) => assert.fail(`the program ended: ${JSON.stringify(how)}`))
    ])
    terminal.kill("SIGKILL")
    await terminal.ended
  })
  it("leaves at once on ctrl-c, also from a form", async () => {
    using terminal = open()
    await terminal.idle()
    await terminal.press("c")
    assert.include(terminal.text(), "REQUEST PREVIEW")
    terminal.send("\u0003")
    assert.strictEqual((await terminal.ended).exitCode, 0)
    assert.isFalse(terminal.modes().alternate)
  })
  it("leaves what SIGKILL leaves behind to --reset-terminal", async () => {
    const folder = folderOfTest()
    const pidFile = join(folder, "pid")
    using terminal = open({
      environment: { PID_FILE: pidFile },
      shell: `sh -c 'echo $$ > "$PID_FILE"; exec "$NODE" "$PROGRAM"'; echo KILLED; read -r _; "$NODE" "$COMMAND_LINE" ui --reset-terminal; echo PUT RIGHT; read -r _`
    })
    await terminal.idle()
    process.kill(Number(readFileSync(pidFile, "utf8")), "SIGKILL")
    await terminal.shows("KILLED")
    assert.deepStrictEqual(terminal.modes(), { alternate: true, paste: true, mouse: false })
    terminal.sendElsewhere("\n")
    await terminal.shows("PUT RIGHT")
    assert.deepStrictEqual(terminal.modes(), { alternate: false, paste: false, mouse: false })
  })
})

describe("away for a while", () => {
  it("returns the terminal to the shell on ctrl-z, and continues with fg at the same place", async () => {
    // As under `npm start`, the program is not the one that the shell started.
    using terminal = open({
      shell: `set -m; sh -c '"$NODE" "$PROGRAM"; exit'; echo STOPPED; read -r _; fg; echo LEFT`
    })
    await terminal.idle()
    await terminal.press("jj")
    terminal.send("\u001A")
    await terminal.shows("STOPPED")
    assert.deepStrictEqual(terminal.modes(), { alternate: false, paste: false, mouse: false })
    terminal.sendElsewhere("\n")
    await terminal.shows("SIGNALBOX")
    await terminal.press("j")
    assert.isTrue(terminal.modes().alternate)
    assert.strictEqual(cursorLine(terminal), 7)
    terminal.send("q")
    await terminal.shows("LEFT")
  })
  it("returns the terminal to the shell also when another program stops it", async () => {
    const folder = folderOfTest()
    const pidFile = join(folder, "pid")
    using terminal = open({
      environment: { PID_FILE: pidFile },
      shell: `set -m; sh -c 'echo $$ > "$PID_FILE"; exec "$NODE" "$PROGRAM"'; echo STOPPED; read -r _; fg; echo LEFT`
    })
    await terminal.idle()
    process.kill(Number(readFileSync(pidFile, "utf8")), "SIGTSTP")
    await terminal.shows("STOPPED")
    assert.deepStrictEqual(terminal.modes(), { alternate: false, paste: false, mouse: false })
    terminal.sendElsewhere("\n")
    await terminal.press("j")
    assert.isTrue(terminal.modes().alternate)
    assert.strictEqual(cursorLine(terminal), 5)
    terminal.send("q")
    await terminal.shows("LEFT")
  })
  it("opens the event in $PAGER, outlives ctrl-c there, and comes back to the same place", async () => {
    const folder = folderOfTest()
    const pager = join(folder, "pager.mjs")
    // As in less, ctrl-c ends what the pager does and not the pager.
    writeFileSync(
      pager,
      `import { readFileSync } from "node:fs"
      const { transactionId } = JSON.parse(readFileSync(process.argv[2], "utf8"))
      process.stdin.resume()
      process.on("SIGINT", () => { console.log("INTERRUPTED"); process.stdin.once("data", () => process.exit(0)) })
      console.log("PAGING " + transactionId)`
    )
    using terminal = open({ environment: { PAGER: `${process.execPath} ${pager}` } })
    await terminal.idle()
    await terminal.press("jj")
    terminal.send("O")
    await terminal.shows("PAGING ")
    assert.deepStrictEqual(terminal.modes(), { alternate: false, paste: false, mouse: false })
    terminal.sendElsewhere("\u0003")
    await terminal.shows("INTERRUPTED")
    terminal.sendElsewhere("\n")
    await terminal.shows("SIGNALBOX")
    await terminal.press("j")
    assert.isTrue(terminal.modes().alternate)
    assert.strictEqual(cursorLine(terminal), 7)
    terminal.send("q")
    assert.deepStrictEqual(await terminal.ended, { exitCode: 0, signal: 0 })
  })
  it("reports when the pager cannot be run, and continues", async () => {
    using terminal = open({ environment: { PAGER: "/no/such/pager -R" } })
    await terminal.idle()
    await terminal.press("O")
    await terminal.shows("the pager /no/such/pager did not run")
    await terminal.press("j")
    assert.strictEqual(cursorLine(terminal), 5)
  })
})
