/**
 * Measures a package on a copy of the working tree: Stryker changes sources in place, so that every package sees the
 * mutant through its ordinary imports.
 */
import { repository } from "@signalbox/repository/Workspace"
import type { MutantResult, Position } from "@stryker-mutator/api/core"
import { execFileSync } from "node:child_process"
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import { foldersVariable } from "./Projects.ts"
import { keyOf, mutantsOf, mutatedFiles, sampleOf } from "./Sample.ts"
import { sampleVariable } from "./SampleChecker.ts"
import { isDetected, type Score, survivorOf } from "./Score.ts"
import type { Subject } from "./Subjects.ts"

/** Copies the files that git knows or would add, and installs the packages. */
const copyOfRepository = (): string => {
  const copy = mkdtempSync(join(tmpdir(), "signalbox-mutation-"))
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: repository })
  for (const file of listed.toString("utf8").split("\0").filter(Boolean)) {
    cpSync(join(repository, file), join(copy, file), { force: true, recursive: true })
  }
  execFileSync("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { cwd: copy, stdio: "ignore" })
  return copy
}

interface Pass {
  readonly files: ReadonlyArray<string>
  readonly sample: ReadonlyArray<string>
  readonly folders: ReadonlyArray<string>
}

/** Stryker counts lines and columns from one in results, and from zero before. */
const fromReport = (result: MutantResult): MutantResult => {
  const before = ({ line, column }: Position): Position => ({ line: line - 1, column: column - 1 })
  return { ...result, location: { start: before(result.location.start), end: before(result.location.end) } }
}

/** The sampled mutants that the tests of some folders do not notice. */
const survivorsOf = (copy: string, { files, folders, sample }: Pass): ReadonlyArray<MutantResult> => {
  if (sample.length === 0 || folders.length === 0) return []
  const [list, results] = [join(copy, "mutation-sample.json"), join(copy, "mutation-results.json")]
  writeFileSync(list, JSON.stringify(sample))
  execFileSync(process.execPath, ["tooling/mutation/src/runStryker.ts", results, ...files], {
    cwd: copy,
    // pnpm's NODE_PATH leads to the packages of the original: with two copies of vitest no test runs.
    env: { ...process.env, NODE_PATH: "", [sampleVariable]: list, [foldersVariable]: folders.join(",") },
    stdio: "inherit"
  })
  const wanted = new Set(sample)
  // Written by runStryker.ts one line above.
  const all = JSON.parse(readFileSync(results, "utf8")) as ReadonlyArray<MutantResult>
  const tried = all.map(fromReport).filter((result) => wanted.has(keyOf(result, copy)))
  if (tried.length !== sample.length) throw new Error(`Stryker tried ${tried.length} of ${sample.length} mutants`)
  return tried.filter((result) => !isDetected(result))
}

/** Measures one package: its own tests on the sample, then the tests of its dependents on what survived. */
export const measure = async (name: string, subject: Subject, count: number, seed: number): Promise<Score> => {
  const copy = copyOfRepository()
  try {
    const files = mutatedFiles(subject.folder, (file) => readFileSync(join(copy, file), "utf8"))
    const mutants = await mutantsOf(copy, files)
    const sample = sampleOf(mutants, count, seed)
    const own = survivorsOf(copy, { files, sample, folders: [subject.folder] })
    const covered = new Set(own.filter(({ status }) => status !== "NoCoverage").map((result) => keyOf(result, copy)))
    const left = own.map((result) => keyOf(result, copy))
    const survivors =
      subject.dependents.length === 0 ? own : survivorsOf(copy, { files, sample: left, folders: subject.dependents })
    return {
      package: name,
      seed,
      mutants: mutants.length,
      sampled: sample.length,
      detected: sample.length - survivors.length,
      survivors: survivors.map((result) =>
        survivorOf(result, {
          file: relative(copy, resolve(copy, result.fileName)),
          covered: covered.has(keyOf(result, copy)) || result.status !== "NoCoverage"
        })
      )
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
