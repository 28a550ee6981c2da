/**
 * Measures a package on a copy of the working tree: Stryker changes sources in place, so that every package sees the
 * mutant through its ordinary imports.
 */
import { repository } from "@signalbox/repository/Workspace"
import type { MutantResult } from "@stryker-mutator/api/core"
import { execFileSync } from "node:child_process"
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative, resolve } from "node:path"
import { foldersVariable } from "./Projects.ts"
import { keyOf, mutantsOf, mutatedFiles, sampleOf } from "./Sample.ts"
import { sampleVariable } from "./SampleVariable.ts"
import { fromReport, isDetected, isUntested, percent, type Score, survivorOf } from "./Score.ts"
import type { Subject } from "./Subjects.ts"

/** The input of a run. */
export interface RunOptions {
  /** How many mutants the sample has. */
  readonly count: number
  readonly seed: number
  /** How many processes run tests at the same time. */
  readonly concurrency: number
}

/** Copies the files that git knows or would add, and installs the packages. */
const copyOfRepository = (): string => {
  const copy = mkdtempSync(join(tmpdir(), "signalbox-mutation-"))
  // PostgreSQL, whose binaries are in the copy, refuses root: a separate user runs it.
  chmodSync(copy, 0o755)
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "-z"], { cwd: repository })
  for (const file of listed.toString("utf8").split("\0").filter(Boolean)) {
    cpSync(join(repository, file), join(copy, file), { force: true, recursive: true })
  }
  execFileSync("pnpm", ["install", "--frozen-lockfile", "--prefer-offline"], { cwd: copy, stdio: "ignore" })
  return copy
}

interface Pass {
  readonly sample: ReadonlyArray<string>
  readonly folders: ReadonlyArray<string>
  readonly concurrency: number
}

/** The sampled mutants that the tests of some folders do not notice. */
const survivorsOf = (copy: string, { concurrency, folders, sample }: Pass): ReadonlyArray<MutantResult> => {
  if (sample.length === 0 || folders.length === 0) return []
  const [list, results] = [join(copy, "mutation-sample.json"), join(copy, "mutation-results.json")]
  writeFileSync(list, JSON.stringify(sample))
  execFileSync(process.execPath, ["tooling/mutation/src/runStryker.ts", results, String(concurrency)], {
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
  const untested = tried.find(isUntested)
  if (untested !== undefined) throw new Error(`not all tests of a mutant ran: ${keyOf(untested, copy)}`)
  return tried.filter((result) => !isDetected(result))
}

/** Measures one package: its own tests on the sample, then, below the bar, its dependents' tests on what survived. */
export const measure = async (name: string, subject: Subject, options: RunOptions): Promise<Score> => {
  const { concurrency, count, seed } = options
  const copy = copyOfRepository()
  const keyIn = (result: MutantResult) => keyOf(result, copy)
  try {
    const files = mutatedFiles(subject.folder, (file) => readFileSync(join(copy, file), "utf8"))
    const mutants = await mutantsOf(copy, files)
    const sample = sampleOf(mutants, count, seed)
    const own = survivorsOf(copy, { concurrency, sample, folders: [subject.folder] })
    const covered = new Set(own.filter(({ status }) => status !== "NoCoverage").map(keyIn))
    // A package's own tests may be enough; those of its dependents take much longer.
    const isEnough = percent({ detected: sample.length - own.length, sampled: sample.length }) >= subject.bar
    const survivors =
      isEnough || subject.dependents.length === 0
        ? own
        : survivorsOf(copy, { concurrency, sample: own.map(keyIn), folders: subject.dependents })
    return {
      package: name,
      seed,
      mutants: mutants.length,
      sampled: sample.length,
      detected: sample.length - survivors.length,
      survivors: survivors.map((result) =>
        survivorOf(result, {
          file: relative(copy, resolve(copy, result.fileName)),
          covered: covered.has(keyIn(result)) || result.status !== "NoCoverage"
        })
      )
    }
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}
