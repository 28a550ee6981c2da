/**
 * Removes each protection of SECURITY.md, and code that keeps other promises, in turn; fails where its test does not notice.
 */
import { spawnSync } from "node:child_process"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { breakages, protections } from "./Protections.ts"
import { read, repository } from "./Workspace.ts"

/** Whether a test file passes. */
const passes = (test: string): boolean => {
  const [folder = "", rest = ""] = test.split(/\/(?=(?:src|test)\/)/u)
  const cwd = join(repository, folder)
  // Not with pnpm, which refuses to run where settings of the workspace changed.
  const { status } = spawnSync(join(cwd, "node_modules", ".bin", "vitest"), ["run", rest], { cwd })
  return status === 0
}

const removals = [...protections, ...breakages]

// An interruption restores the file, too.
process.on("SIGINT", () => process.exit(130))

const failing = [...new Set(removals.map(({ test }) => test))].filter((test) => !passes(test))
for (const test of failing) console.log(`fails without a breakage: ${test}`)

console.log("| breakage | in | test | noticed |\n| --- | --- | --- | --- |")
const unnoticed = removals.filter(({ code, file, removed, test, ...removal }) => {
  const text = read(file)
  const restore = () => writeFileSync(join(repository, file), text)
  process.once("exit", restore)
  try {
    writeFileSync(
      join(repository, file),
      text.replace(code, () => removed)
    )
    const isUnnoticed = passes(test)
    const name = "row" in removal ? `protection removed: ${removal.row}` : removal.breakage
    console.log(`| ${name} | ${file} | ${test} | ${isUnnoticed ? "NO" : "yes"} |`)
    return isUnnoticed
  } finally {
    restore()
    process.off("exit", restore)
  }
})
console.log(`${removals.length - unnoticed.length} of ${removals.length} breakages are noticed`)
if (failing.length + unnoticed.length > 0) process.exitCode = 1
