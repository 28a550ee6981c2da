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

/** Starts with short files: one failed test is enough. Vitest itself starts with those that take longest. */
class ShortFilesFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const sized = files.map((file) => ({ file, project: file.project.name, bytes: statSync(file.moduleId).size }))
    return sized
      .toSorted((one, other) => one.project.localeCompare(other.project) || one.bytes - other.bytes)
      .map(({ file }) => file)
  }
}

export default defineConfig({
  root,
  test: {
    sequence: { sequencer: ShortFilesFirst },
    projects: folders.map((folder) => ({
      root: resolve(root, folder),
      test: {
        name: folder,
        // As in the packages' own settings: a new worker for each file takes longer than most files.
        isolate: false,
        // Instrumented code can take many times as long; what never ends is for Stryker's own limit to stop.
        testTimeout: 300_000,
        hookTimeout: 300_000,
        exclude: ["**/node_modules/**", "**/dist/**", ...(leftOut[folder] ?? [])]
      }
    }))
  }
})
