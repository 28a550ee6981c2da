import { folderOfSuite } from "@signalbox/testing/Folder"
import { beforeAll } from "@effect/vitest"
import { pack, type Published, type Tarball } from "./Tarball.ts"

/** The tarballs that the tests of a file work on. */
export interface PackedTarballs {
  /** A temporary folder, removed after the tests. */
  readonly folder: string
  readonly all: () => ReadonlyArray<Tarball>
  readonly tarballOf: (of: Published) => Tarball
}

/** Packs these packages before the tests of the surrounding `describe`, and removes the tarballs after. */
export const packedTarballs = (packages: ReadonlyArray<Published>): PackedTarballs => {
  const folder = folderOfSuite()
  let tarballs: ReadonlyArray<Tarball> = []
  beforeAll(() => {
    tarballs = packages.map((one) => pack(one, folder))
  })
  return {
    folder,
    all: () => tarballs,
    tarballOf: (of) => {
      const found = tarballs.find((one) => one.of === of)
      if (found === undefined) throw new Error(`${of} was not packed`)
      return found
    }
  }
}
