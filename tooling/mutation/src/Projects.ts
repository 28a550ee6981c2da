/**
 * Vitest's configuration for Stryker: the tests of several packages in one run.
 */
import { statSync } from "node:fs"
import { resolve } from "node:path"
import { defineConfig } from "vitest/config"
import { BaseSequencer, type TestSpecification } from "vitest/node"
import { leftOut } from "./Subjects.ts"

/** The environment variable with the folders, separated by commas. */
export const foldersVariable = "SIGNALBOX_MUTATION_FOLDERS"

const root = resolve(import.meta.dirname, "../../..")
const folders = (process.env[foldersVariable] ?? "").split(",").filter((folder) => folder !== "")

/** The longest time that each test file has taken so far, in milliseconds: most runs are of a few tests of a file. */
const longest = new Map<string, number>()

/** Starts with quick files: one failed test is enough. Vitest itself starts with those that take longest. */
class QuickFilesFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const timed = files.map((file) => {
      const last = this.ctx.cache.getTestSpecificationResult(file)?.duration ?? 0
      const most = Math.max(last, longest.get(file.moduleId) ?? 0)
      longest.set(file.moduleId, most)
      // A file that has not run yet: the larger, the longer.
      return { file, project: file.project.name, ms: most === 0 ? statSync(file.moduleId).size / 100 : most }
    })
    return timed
      .toSorted((one, other) => one.project.localeCompare(other.project) || one.ms - other.ms)
      .map(({ file }) => file)
  }
}

export default defineConfig({
  root,
  test: {
    sequence: { sequencer: QuickFilesFirst },
    projects: folders.map((folder) => ({
      root: resolve(root, folder),
      test: {
        name: folder,
        setupFiles: [resolve(import.meta.dirname, "Preload.ts")],
        // As in the packages' own settings: a new worker for each file takes longer than most files.
        isolate: false,
        // Instrumented code can take many times as long; Stryker's own limit stops code that never ends.
        testTimeout: 300_000,
        hookTimeout: 300_000,
        // Tables print times in the zone of the machine.
        env: { TZ: "UTC" },
        exclude: ["**/node_modules/**", "**/dist/**", ...(leftOut[folder] ?? [])]
      }
    }))
  }
})
