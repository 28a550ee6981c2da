import { folderOfSuite } from "@signalbox/testing/Folder"
import { assert, describe, it } from "@effect/vitest"
import { execFile, spawnSync } from "node:child_process"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { createFake } from "../../src/index.ts"
import { listen } from "../../src/server.ts"

const page = join(import.meta.dirname, "..", "..", "..", "..", "docs", "testing", "go-and-java.md")

/** The languages of the page, and how a machine that has one runs a program. */
const languages = [
  { name: "go", file: "main.go", version: ["version"], run: ["run"] },
  { name: "java", file: "Fake.java", version: ["-version"], run: [] }
] as const

describe("Go and Java", () => {
  const folder = folderOfSuite()

  for (const { file, name, run, version } of languages) {
    it.skipIf(spawnSync(name, version).status !== 0)(`has a program in ${name} that works`, async () => {
      const program = new RegExp(`\`\`\`${name}\\n([\\s\\S]*?)\`\`\``, "u").exec(readFileSync(page, "utf8"))?.[1] ?? ""
      const path = join(folder, file)
      writeFileSync(path, program)
      await using server = await listen(createFake({ data: "empty" }))
      const printed = await new Promise((resolve) => {
        const env = { ...process.env, FAKE_URL: server.url }
        execFile(name, [...run, path], { env, cwd: folder }, (_error, stdout, stderr) => resolve(stdout + stderr))
      })
      assert.strictEqual(printed, '{"met":true,"issues":[]}\n')
    })
  }
})
