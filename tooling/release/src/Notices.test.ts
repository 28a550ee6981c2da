import { assert, describe, it } from "@effect/vitest"
import { importsOf } from "@signalbox/repository/Imports"
import { isTest, read, sourceFiles, workspacePackages } from "@signalbox/repository/Workspace"
import { existsSync, globSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { repository } from "./Repository.ts"

const shippedLicences = ["MIT", "ISC", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "0BSD", "BlueOak-1.0.0"]

/** Third-party packages that files import. */
const packagesIn = (files: ReadonlyArray<string>): ReadonlySet<string> =>
  new Set(
    files
      .flatMap((file) => importsOf(file, read(file)))
      .filter(
        (specifier) => !/^[./#]/u.test(specifier) && !isBuiltin(specifier) && !specifier.startsWith("@signalbox/")
      )
      .map((specifier) => /^(?:@[^/]+\/)?[^/]+/u.exec(specifier)?.[0] ?? specifier)
  )

const builtFiles = (folder: string): ReadonlyArray<string> =>
  globSync("**/*.js", { cwd: join(repository, folder, "dist") })
    .map((file) => `${folder}/dist/${file}`)
    .toSorted()

const noticesIn = (folder: string): ReadonlyMap<string, { readonly licence: string; readonly text: string }> => {
  const file = `${folder}/dist/THIRD-PARTY-NOTICES.txt`
  if (!existsSync(join(repository, file))) return new Map()
  const [, ...notices] = read(file).split(/^-{80}\n/mu)
  return new Map(
    notices.map((notice) => {
      const [, name = "", licence = ""] = /^(\S+) \S+ \((.+)\)\n/u.exec(notice) ?? []
      return [name, { licence, text: notice }]
    })
  )
}

const isPublished = (folder: string): boolean => JSON.parse(read(`${folder}/package.json`)).private !== true

const published = workspacePackages().filter(({ folder, kind }) => kind !== "tooling" && isPublished(folder))

describe("third-party notices", () => {
  it.each(published)("of $folder cover every package that is bundled", (one) => {
    const built = builtFiles(one.folder)
    assert.isNotEmpty(built, `${one.folder} is not built`)
    const imported = packagesIn(built)
    const used = packagesIn(sourceFiles(one).filter((file) => file.startsWith(`${one.folder}/src/`) && !isTest(file)))
    const bundled = [...used].filter((name) => !imported.has(name))
    assert.includeMembers([...noticesIn(one.folder).keys()], bundled)
  })

  it("of the executable of the fake cover Effect", () => {
    assert.isTrue(noticesIn("packages/test-harness").has("effect"))
  })

  it.each(published)("of $folder include the licence text, and each licence allows redistribution", ({ folder }) => {
    for (const [name, { licence, text }] of noticesIn(folder)) {
      assert.include(shippedLicences, licence, name)
      assert.match(text, /permission|redistribution/iu, name)
    }
  })
})
