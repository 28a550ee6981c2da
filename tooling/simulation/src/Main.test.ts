import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { families } from "./Families.ts"

const simulate = (...words: ReadonlyArray<string>) => {
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL("main.ts", import.meta.url)), ...words],
    { encoding: "utf8" }
  )
  return { status, stderr, lines: stdout.split("\n") }
}

describe("pnpm simulate", () => {
  it("runs every family, prints its seed, and exits because nothing stays open", () => {
    const names = Object.keys(families)
    const { lines, status } = simulate("--runs", "2", "--seed", "9")
    assert.strictEqual(status, 0)
    for (const name of names) assert.include(lines, `${name}: 2 scenarios of seed 9`)
    assert.strictEqual(lines.filter((line) => line === "no disagreement").length, names.length)
  })

  it("rejects bad input in one line", () => {
    assert.deepStrictEqual(simulate("--reproduce", "calls"), {
      status: 2,
      stderr: "--reproduce needs a token exactly as an earlier failure printed it\n",
      lines: [""]
    })
  })
})
