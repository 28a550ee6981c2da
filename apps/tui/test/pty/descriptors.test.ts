import { preload } from "@signalbox/testing/Program"
import { assert, describe, it } from "@effect/vitest"
import { markMessages, page, reading, serve } from "./Service.ts"
import { open } from "./Terminal.ts"

// Opens as many files as the process can on one signal, and closes them on the next.
const takeAll = `
  import { closeSync, openSync } from "node:fs"
  const taken = []
  process.on("SIGUSR2", () => {
    if (taken.length > 0) return taken.splice(0).forEach((file) => closeSync(file))
    try { for (;;) taken.push(openSync("/dev/null")) } catch {}
  })`

describe.skipIf(process.platform === "win32")("no more file descriptors", () => {
  it("is said in one line, sends nothing, loses nothing, and works again once there are some", async () => {
    using service = await serve(reading(page(3), markMessages))
    using terminal = open({
      columns: 160,
      shell: `ulimit -n 64; exec "$NODE" "$PROGRAM"`,
      environment: { SIGNALBOX_API_KEY: "key-of-the-tests", SIGNALBOX_BASE_URL: service.url, ...preload(takeAll) }
    })
    await terminal.idle()
    await terminal.press("j")
    await terminal.press("m")
    await terminal.press("\u001B[200~0123456789abcdef01234567\u001B[201~")
    // The next request needs a new connection.
    service.closeConnections()
    terminal.kill("SIGUSR2")
    await terminal.press("r")
    await terminal.press("y")
    await terminal.shows("connection failed with EMFILE, nothing was sent.")
    await terminal.shows("Too many files are open: raise the limit (ulimit -n), then retry.")
    await terminal.shows("x tries again now")
    assert.include(terminal.text(), "✗ refused")
    assert.deepStrictEqual(service.writes(), [])
    terminal.kill("SIGUSR2")
    await terminal.press("r")
    await terminal.press("y")
    await terminal.shows("1 message set to read: 201")
    assert.lengthOf(service.writes(), 1)
  })
})
