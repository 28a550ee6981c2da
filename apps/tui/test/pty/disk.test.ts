import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, it } from "@effect/vitest"
import { open } from "./Terminal.ts"

let folder = ""

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signalbox-disk-"))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

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
