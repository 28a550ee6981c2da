import { folderOfTest } from "@signalbox/testing/Folder"
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseRun } from "./Run.ts"

const bench = (...words: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [fileURLToPath(new URL("main.ts", import.meta.url)), ...words], { encoding: "utf8" })

/** The kept figures, with one figure that no budget allows. */
const brokenRun = () => {
  const run = parseRun(readFileSync(new URL("../measured.json", import.meta.url), "utf8"))
  const report = run.reports.find(({ suite }) => suite === "tui")
  assert(report !== undefined)
  const row = { id: "tui/idle-bytes", label: "bytes", unit: "bytes", value: 1e9, low: 1e9, high: 1e9 } as const
  return { reports: [{ ...report, rows: [row] }] }
}

describe("pnpm bench", () => {
  it("--check exits with 1 when a figure is over its budget", () => {
    const folder = folderOfTest()
    const file = join(folder, "run.json")
    writeFileSync(file, JSON.stringify(brokenRun()))
    const { status, stdout } = bench("--from", file, "--check")
    assert.include(stdout, "over budget: bytes: 1,000,000,000 bytes, at most 0 bytes")
    assert.strictEqual(status, 1)
  })

  it("exits with 2 and names the options when one is unknown", () => {
    const { status, stderr } = bench("--bogus")
    assert.match(stderr, /^Unknown option '--bogus'; options: --json, /u)
    assert.strictEqual(status, 2)
  })
})
