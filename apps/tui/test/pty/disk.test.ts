import { folderOfTest } from "@signalbox/testing/Folder"
import { readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeEach, describe, it } from "@effect/vitest"
import { cursorLine, open } from "./Terminal.ts"

let folder: string

beforeEach(() => {
  folder = folderOfTest()
})

/** The program with a limit for the size of files, in kilobytes: simulates a full disk, without a disk. */
const limitedTo = (kilobytes: number) =>
  open({
    columns: 160,
    environment: { XDG_CACHE_HOME: folder },
    shell: `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$NODE" "$PROGRAM"`
  })

describe("a file that cannot be written", () => {
  it("is named where a folder is missing, or is a file", async () => {
    using terminal = open({ columns: 160 })
    await terminal.idle()
    await terminal.press(`:export ${join(folder, "missing", "events.ndjson")}\r`)
    await terminal.shows(`not saved: ${join(folder, "missing", "events.ndjson")}: no such file or directory (ENOENT)`)
    await terminal.press(":export /dev/null/events.ndjson\r")
    await terminal.shows("not saved: /dev/null/events.ndjson: not a directory (ENOTDIR)")
  })
})

describe.skipIf(process.platform === "win32")("a full disk", () => {
  it("keeps an earlier export as it was, leaves nothing half-written, and the program works on", async () => {
    const file = join(folder, "events.ndjson")
    writeFileSync(file, "an earlier export\n")
    using terminal = limitedTo(4)
    await terminal.idle()
    await terminal.press(`:export ${file}\r`)
    await terminal.shows("not saved: ")
    assert.match(terminal.text(), /not saved: \S+\/events-\S+\.ndjson: file too large \(EFBIG\)/u)
    assert.strictEqual(readFileSync(file, "utf8"), "an earlier export\n")
    assert.deepStrictEqual(
      readdirSync(folder).filter((name) => name.startsWith("events")),
      ["events.ndjson"]
    )
    await terminal.press("j")
    assert.strictEqual(cursorLine(terminal), 5)
    terminal.send("q")
    assert.strictEqual((await terminal.ended).exitCode, 0)
  })

  it("ends a recording with one line, and the program works on", async () => {
    const file = join(folder, "session.ndjson")
    using terminal = limitedTo(4)
    await terminal.idle()
    await terminal.press(`:record ${file}\r`)
    await terminal.shows(`recording stopped, ${file}: file too large (EFBIG)`)
    await terminal.press("j")
    assert.strictEqual(cursorLine(terminal), 5)
  })
})
