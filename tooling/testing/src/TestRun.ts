/**
 * Fails runs that skip tests unnoticed, and runs in which no test read a golden file.
 */
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import type { Reporter, TestModule, Vitest } from "vitest/node"
import { goldenFilesVariable } from "./GoldenFiles.ts"

/** How many tests of a file may be skipped, where the machine lacks what they need. Windows lacks more. */
const maySkip: Readonly<Record<string, number>> = {
  "apps/cli/test/pty/completions.test.ts": 13,
  "packages/bulk/test/disk/RealDisk.test.ts": 2,
  "packages/test-harness/test/documentation/GoAndJava.test.ts": 2,
  "packages/test-harness/test/documentation/Python.test.ts": 5,
  "tooling/release/src/Starts.test.ts": 1
}

const root = resolve(import.meta.dirname, "../../..")

const shown = (file: string): string => relative(root, file).replaceAll("\\", "/")

/** Fails a run that skips more tests than it may, or in which all tests passed and a golden file was not read. */
export class TestRun implements Reporter {
  #vitest: Vitest | undefined
  #read = ""

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
    const folder = mkdtempSync(join(tmpdir(), "signalbox-golden-"))
    process.once("exit", () => rmSync(folder, { recursive: true }))
    this.#read = process.env[goldenFilesVariable] = join(folder, "read")
    writeFileSync(this.#read, "")
  }

  async onTestRunEnd(modules: ReadonlyArray<TestModule>, _errors: unknown, reason: string): Promise<void> {
    const vitest = this.#vitest
    // A name chooses tests: the others are skipped, too.
    if (vitest === undefined || vitest.config.testNamePattern !== undefined) return
    const problems = skippedTooOften(modules)
    const isWhole = modules.length === (await vitest.globTestSpecifications()).length
    if (isWhole && reason === "passed") problems.push(...this.#orphans(vitest.config))
    if (problems.length === 0) return
    for (const problem of problems) vitest.logger.error(problem)
    process.exitCode = 1
  }

  /** Golden files that no test read, but those next to tests that the run leaves out. */
  #orphans({ exclude, root: folder }: Vitest["config"]): ReadonlyArray<string> {
    const read = new Set(readFileSync(this.#read, "utf8").split("\n"))
    return globSync(["{src,test}/**/*.txt", "{,test/}golden/**/*.*"], { cwd: folder, exclude })
      .map((file) => join(folder, file))
      .filter((file) => !read.has(file))
      .map((file) => `${shown(file)}: no test reads this golden file; delete it`)
  }
}

const skippedTooOften = (modules: ReadonlyArray<TestModule>): Array<string> => {
  let total = 0
  const problems = modules.flatMap((module) => {
    const skipped = Array.from(module.children.allTests("skipped")).length
    total += skipped
    const file = shown(module.moduleId)
    const allowed = maySkip[file] ?? 0
    return skipped <= allowed || process.platform === "win32"
      ? []
      : [`${file}: ${skipped} tests were skipped; at most ${allowed} may be`]
  })
  console.log(`skipped tests: ${total}`)
  return problems
}
