import { assert, describe, it } from "@effect/vitest"
import { existsSync } from "node:fs"
import { basename, join } from "node:path"
import { read, root, trackedFiles } from "./Repository.ts"

const page = read("docs/architecture.md")

const files = trackedFiles()

/** Whether other packages can import it: the site's cannot be. */
const isImported = (manifest: string): boolean =>
  read(manifest).includes('"exports": {') || manifest === "apps/cli/package.json"

/** The folders of the product's packages, by their short names. */
const packages = new Map(
  files.flatMap((file) => {
    const folder = /^((?:packages|apps)\/[\w-]+)\/package\.json$/.exec(file)?.[1]
    return folder === undefined || !isImported(file) ? [] : [[basename(folder), folder] as const]
  })
)

const isProduct = (folder: string, file: string): boolean =>
  file.startsWith(`${folder}/src/`) && /\.tsx?$/.test(file) && !/\.(?:test|tst)\.tsx?$/.test(file)

/** The imports of other packages by a package's sources, tests left out, as edges of the diagram. */
const importsOf = (name: string, folder: string): ReadonlyArray<string> => {
  const imported = files
    .filter((file) => isProduct(folder, file))
    .flatMap((file) => Array.from(read(file).matchAll(/^(?:import|export|\} from)\b.*"@signalbox\/([\w-]+)/gm)))
    .flatMap(([, other = ""]) => (other !== name && packages.has(other) ? [`${name} --> ${other}`] : []))
  return [...new Set(imported)]
}

const diagram = /^```mermaid\n(.*?)^```/ms.exec(page)?.[1] ?? ""

const lines = (pattern: RegExp): ReadonlyArray<string> => [...diagram.matchAll(pattern)].map(([, found = ""]) => found)

describe("docs/architecture.md", () => {
  it("draws every package of the product", () => {
    assert.sameMembers([...lines(/^ {2}([\w-]+)\["/gm)], [...packages.keys()])
  })

  it("draws every import between packages, and no other", () => {
    const edges = [...packages].flatMap(([name, folder]) => importsOf(name, folder))
    assert.isAbove(edges.length, 5)
    assert.sameMembers([...lines(/^ {2}([\w-]+ --> [\w-]+)$/gm)], edges)
  })

  it("names paths that exist", () => {
    const paths = [...page.matchAll(/`((?:apps|packages|tooling|docs)(?:\/[\w.-]+)+)`/g)].map(([, path = ""]) => path)
    assert.isAbove(paths.length, 40)
    assert.deepStrictEqual(
      paths.filter((path) => !existsSync(join(root, path))),
      []
    )
  })

  const sections = [...page.matchAll(/^### Folders of `([\w/-]+)`\n(.*?)(?=^#)/gms)]

  it("lists the folders of core, operator, bulk and the command line", () => {
    assert.includeMembers(
      sections.map(([, name]) => name),
      ["packages/core", "packages/operator", "packages/bulk", "apps/cli"]
    )
  })

  it.each(sections.map(([, name = "", text = ""]) => [name, text] as const))(
    "lists every folder of %s",
    (name, text) => {
      const inFolder = new RegExp(`^${name}/src/([\\w-]+)/`, "u")
      assert.sameMembers(
        [...text.matchAll(/^\| `([\w-]+)\/` +\|/gm)].map(([, folder = ""]) => folder),
        [...new Set(files.flatMap((file) => inFolder.exec(file)?.slice(1, 2) ?? []))]
      )
    }
  )
})
