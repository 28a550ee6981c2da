import { assert, describe, it } from "@effect/vitest"
import { execFile, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createFake } from "../../src/index.ts"
import { checkCommand, listen } from "../../src/server.ts"

/** The program in Python on a page of the guide. */
const programOn = (page: string): string => {
  const file = join(import.meta.dirname, "..", "..", "..", "..", "docs", "testing", page)
  return /```python\n([\s\S]*?)```/u.exec(readFileSync(file, "utf8"))?.[1] ?? ""
}

const everyAction = join(import.meta.dirname, "..", "python", "control_api.py")
const hasPython = spawnSync("python3", ["--version"]).status === 0

const runSuite = async (program: string): Promise<string> => {
  await using server = await listen(createFake({ data: "empty" }))
  // The server closes after the suite.
  return await new Promise((resolve) => {
    const env = { ...process.env, FAKE_URL: server.url }
    execFile("python3", ["-I", "-c", program], { env }, (_error, _stdout, stderr) => resolve(stderr))
  })
}

// CI has Python; a developer may not.
describe.skipIf(!hasPython && process.env["CI"] === undefined)("Python", () => {
  it("has a suite that passes against a server, with the standard library only", async () => {
    assert.match(await runSuite(programOn("python.md")), /Ran 3 tests in [\d.]+s\s+OK\s*$/u)
  })

  it("has a suite that uses every action of the control API", async () => {
    assert.match(await runSuite(readFileSync(everyAction, "utf8")), /Ran \d+ tests in [\d.]+s\s+OK\s*$/u)
  })

  it("has a client in which a check finds nothing", async () => {
    // No fault of these programs hangs, so that the client never waits for the long deadline.
    const { findings, outcomes } = await checkCommand(["python3", "-I", "-c", programOn("check.md")], {
      runs: 12,
      seed: 40,
      deadlineMs: 100_000
    })
    assert.deepStrictEqual(findings, [])
    assert.deepStrictEqual(outcomes, { ok: 19, failed: 3, unknown: 4, none: 0 })
  })
})
