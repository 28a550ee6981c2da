/**
 * The golden files that tests read, for {@link TestRun}. Vitest loads it in each worker.
 */
import { appendFileSync } from "node:fs"
import { VitestSnapshotEnvironment } from "vitest/runtime"

/** The environment variable with the file that lists them. */
export const goldenFilesVariable = "SIGNALBOX_GOLDEN_FILES"

class GoldenFiles extends VitestSnapshotEnvironment {
  override readSnapshotFile(file: string): Promise<string | null> {
    const list = process.env[goldenFilesVariable]
    if (list !== undefined) appendFileSync(list, `${file}\n`)
    return super.readSnapshotFile(file)
  }
}

export default new GoldenFiles()
