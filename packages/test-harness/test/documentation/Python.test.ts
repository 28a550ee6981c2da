import { assert, describe, it } from "@effect/vitest"
import { execFile, spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { createFake } from "../../src/index.ts"
import { listen } from "../../src/server.ts"

const page = join(import.meta.dirname, "..", "..", "..", "..", "docs", "testing", "python.md")
const hasPython = spawnSync("python3", ["--version"]).status === 0

// CI has Python; a developer may not.
describe.skipIf(!hasPython && process.env["CI"] === undefined)("the suite in Python", () => {
  it("passes against a server, with the standard library only", async () => {
    const program = /```python\n([\s\S]*?)```/u.exec(readFileSync(page, "utf8"))?.[1] ?? ""
    await using server = await listen(createFake({ data: "empty" }))
    const printed = await new Promise<string>((resolve) => {
      const env = { ...process.env, FAKE_URL: server.url }
      execFile("python3", ["-I", "-c", program], { env }, (_error, _stdout, stderr) => resolve(stderr))
    })
    assert.match(printed, /Ran 3 tests in [\d.]+s\s+OK\s*$/u)
  })
})
