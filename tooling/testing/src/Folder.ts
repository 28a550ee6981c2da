/**
 * Temporary folders of tests.
 */
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, onTestFinished } from "vitest"

const makeFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), "signalbox-test-")))

const remove = (folder: string) => () => rmSync(folder, { recursive: true, force: true })

/** A new folder, removed after the test. For tests and for `beforeEach`. */
export const folderOfTest = (): string => {
  const folder = makeFolder()
  onTestFinished(remove(folder))
  return folder
}

/** A new folder, removed after all tests of the surrounding `describe` or of the file. */
export const folderOfSuite = (): string => {
  const folder = makeFolder()
  afterAll(remove(folder))
  return folder
}
