import { assert, describe, it } from "@effect/vitest"
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

const published = trackedFiles()
  .filter((file) => /^(?:packages|apps)\/[^/]+\/package\.json$/.test(file))
  .map((file): Manifest => JSON.parse(read(file)))
  .filter((manifest) => manifest.private !== true)

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

  it("is released together with the others, with the same version", () => {
    const { fixed }: { readonly fixed: ReadonlyArray<ReadonlyArray<string>> } = JSON.parse(
      read(".changeset/config.json")
    )
    assert.sameMembers(
      [...(fixed[0] ?? [])],
      published.map(({ name }) => name)
    )
    assert.strictEqual(new Set(published.map(({ version }) => version)).size, 1)
  })

  it("is in the table of requirements of docs/support.md", () => {
    const page = read("docs/support.md")
    assert.deepStrictEqual(
      published.filter(({ name }) => !page.includes(`\`${name}\``)),
      []
    )
  })
})
