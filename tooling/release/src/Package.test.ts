import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { packedTarballs } from "./PackedTarballs.ts"
import { libraries } from "./Tarball.ts"

const require = createRequire(import.meta.url)
const attw = join(dirname(require.resolve("@arethetypeswrong/cli/package.json")), "dist", "index.js")

const published = [...libraries, "tui"] as const

describe("the tarball of", () => {
  const packed = packedTarballs(published)

  describe.each(published)("%s", (name) => {
    const tarball = () => packed.tarballOf(name)

    it("gives publint nothing to say", async () => {
      const contents = readFileSync(tarball().file)
      const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(contents).buffer }, strict: true })
      assert.deepStrictEqual(
        messages.map((message) => formatMessage(message, pkg)),
        []
      )
    })

    const filesOf = () => execFileSync("tar", ["-tzf", tarball().file], { encoding: "utf8" }).trim().split("\n")

    it("has a README that links to nothing which is not in it", () => {
      const readme = readFileSync(join(tarball().folder, "README.md"), "utf8")
      const links = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/gu)].map(([, link = ""]) => join("package", link))
      const files = filesOf()
      assert.deepStrictEqual(
        links.filter((link) => !files.includes(link)),
        []
      )
    })

    it("has a README and a licence, and neither tests nor build information", () => {
      const files = filesOf()
      assert.includeMembers(files, ["package/package.json", "package/README.md", "package/LICENSE"])
      assert.deepStrictEqual(
        files.filter((file) => /\.test\.|\.tst\.|tsbuildinfo|\/src\//.test(file)),
        []
      )
    })
  })

  describe.each(libraries)("%s", (name) => {
    const tarball = () => packed.tarballOf(name)

    it("has types that resolve for every consumer of ES modules", { timeout: 60_000 }, () => {
      // Fails with what it found.
      execFileSync(process.execPath, [attw, tarball().file, "--profile", "esm-only", "--format", "ascii"])
    })

    it("has the entries that the workspace has", () => {
      const manifest: {
        readonly exports: Record<string, unknown>
        readonly publishConfig: { readonly exports: Record<string, unknown> }
      } = JSON.parse(readFileSync(join(tarball().folder, "package.json"), "utf8"))
      assert.deepStrictEqual(Object.keys(manifest.publishConfig.exports), Object.keys(manifest.exports))
    })

    // Standalone packages are published as readable code without maps, which would be larger than they are.
    it.skipIf(name === "sdk" || name === "test-harness")(
      "has source maps that carry their sources, which are not in it otherwise",
      () => {
        const unpacked = join(packed.folder, name)
        mkdirSync(unpacked)
        execFileSync("tar", ["-xzf", tarball().file, "-C", unpacked])
        const maps = readdirSync(unpacked, { recursive: true, encoding: "utf8" }).filter((file) =>
          file.endsWith(".map")
        )
        const hasSources = (file: string) => {
          const map: { readonly sources: ReadonlyArray<string>; readonly sourcesContent?: ReadonlyArray<string> } =
            JSON.parse(readFileSync(join(unpacked, file), "utf8"))
          return map.sourcesContent?.length === map.sources.length
        }
        assert.isNotEmpty(maps)
        assert.deepStrictEqual(
          maps.filter((file) => !hasSources(file)),
          []
        )
      }
    )
  })
})
