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
  it("runs every family, says from which seed, and ends by itself because nothing is left", () => {
    const { lines, status } = simulate("--runs", "3", "--seed", "9")
    assert.strictEqual(status, 0)
    for (const family of ["calls", "fetches", "marks", "walks"])
      assert.include(lines, `${family}: 3 scenarios from seed 9`)
    assert.strictEqual(lines.filter((line) => line === "no disagreement").length, 4)
  })

  it("refuses what it does not understand in one line", () => {
    assert.deepStrictEqual(simulate("--repeat", "calls"), {
      status: 2,
      stderr: "--repeat needs the token of a failure, as it was printed\n",
      lines: [""]
    })
  })
})
