/**
 * Removes each protection of SECURITY.md in turn, and fails where its test does not notice.
 */
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { protections } from "./Protections.ts"
import { read, repository } from "./Workspace.ts"

/** Whether a test file passes. */
const passes = (test: string): boolean => {
  const [folder = "", rest = ""] = test.split(/\/(?=(?:src|test)\/)/u)
  const { status } = spawnSync("pnpm", ["exec", "vitest", "run", rest], { cwd: join(repository, folder) })
  return status === 0
}

// An interruption restores the file, too.
process.on("SIGINT", () => process.exit(130))

const failing = [...new Set(protections.map(({ test }) => test))].filter((test) => !passes(test))
for (const test of failing) console.log(`fails with the protections: ${test}`)

console.log("| protection against | removed in | test | fails without it |\n| --- | --- | --- | --- |")
const unnoticed = protections.filter(({ code, file, removed, row, test }) => {
  const text = read(file)
  const restore = () => writeFileSync(join(repository, file), text)
  process.once("exit", restore)
  try {
    writeFileSync(
      join(repository, file),
      text.replace(code, () => removed)
    )
    const isUnnoticed = passes(test)
    console.log(`| ${row} | ${file} | ${test} | ${isUnnoticed ? "NO" : "yes"} |`)
    return isUnnoticed
  } finally {
    restore()
    process.off("exit", restore)
  }
})
console.log(`${protections.length - unnoticed.length} of ${protections.length} removals are noticed`)
if (failing.length + unnoticed.length > 0) process.exitCode = 1
