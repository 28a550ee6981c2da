import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const simulate = (...words: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL("main.ts", import.meta.url)), ...words],
    { encoding: "utf8" }
  )
  return { status, stderr, lines: stdout.split("\n") }
}

describe("pnpm simulate", { timeout: 60_000 }, () => {
  it("runs every family, prints its seed, and exits because nothing stays open", () => {
    const { lines, status } = simulate(
      "calls",
      "fetches",
      "duplicates",
      "crashes",
      "marks",
      "walks",
      "promises",
      "--runs",
      "3",
      "--seed",
      "9"
    )
    assert.strictEqual(status, 0)
    for (const family of ["calls", "fetches", "duplicates", "crashes", "marks", "walks", "promises"])
      assert.include(lines, `${family}: 3 scenarios of seed 9`)
    assert.strictEqual(lines.filter((line) => line === "no disagreement").length, 7)
  })

  it("rejects bad input in one line", () => {
    assert.deepStrictEqual(simulate("--reproduce", "calls"), {
      status: 2,
      stderr: "--reproduce needs a token exactly as an earlier failure printed it\n",
      lines: [""]
    })
  })
})
