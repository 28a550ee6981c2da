import { afterAll, beforeAll } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { packLibraries, type Library, type Tarball } from "./Tarball.ts"

/** The tarballs that the tests of a file work on. */
export interface PackedLibraries {
  /** A folder of its own, gone after the tests. */
  readonly folder: string
  readonly all: () => ReadonlyArray<Tarball>
  readonly tarballOf: (library: Library) => Tarball
}

/** Packs the libraries before the tests of the surrounding `describe`, and removes them after. */
export const packedLibraries = (): PackedLibraries => {
  const folder = mkdtempSync(join(tmpdir(), "signalbox-packed-"))
  let tarballs: ReadonlyArray<Tarball> = []
  beforeAll(() => {
    tarballs = packLibraries(folder)
  }, 60_000)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    all: () => tarballs,
    tarballOf: (library) => {
      const found = tarballs.find((one) => one.library === library)
      if (found === undefined) throw new Error(`${library} was not packed`)
      return found
    }
  }
}
