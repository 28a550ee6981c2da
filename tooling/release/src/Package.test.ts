import { assert, describe, it } from "@effect/vitest"
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { packedTarballs } from "./PackedTarballs.ts"
import { libraries } from "./Tarball.ts"

interface SourceMap {
  readonly sources: ReadonlyArray<string>
  readonly sourcesContent?: ReadonlyArray<string | null>
}

const require = createRequire(import.meta.url)
const attw = join(dirname(require.resolve("@arethetypeswrong/cli/package.json")), "dist", "index.js")

const published = [...libraries, "cli"] as const

/** Standalone packages are published as readable code without maps, which would be larger than the code (decision 0022). */
const withMaps: ReadonlySet<string> = new Set(["core", "operator", "bulk"])

const application = [/^dist\/[\w-]+\.js$/, /^dist\/THIRD-PARTY-NOTICES\.txt$/]
const standalone = [/^dist\/(?:chunks\/)?[\w-]+\.(?:js|d\.ts)$/, /^dist\/THIRD-PARTY-NOTICES\.txt$/]
const modules = [
  /^src\/(?:\w+\/)*\w+\.ts$/,
  /^dist\/(?:\w+\/)*[\w-]+\.(?:js|d\.ts)(?:\.map)?$/,
  /^dist\/THIRD-PARTY-NOTICES\.txt$/
]
const pagesOfTheFake = /^dist\/pages\/\w+\.(?:css|html|js|json|svg)$/

/** The allowed contents of each tarball besides its manifest, README and licence. */
const contents: Readonly<Record<(typeof published)[number], ReadonlyArray<RegExp>>> = {
  core: modules,
  sdk: standalone,
  "test-harness": [...standalone, pagesOfTheFake, /^python\/(?:signalbox_fake\.py|pyproject\.toml)$/],
  operator: modules,
  bulk: modules,
  cli: [...application, /^dist\/help\.json$/, pagesOfTheFake]
}

describe("the tarball of", () => {
  const packed = packedTarballs(published)

  describe.each(published)("%s", (name) => {
    const tarball = () => packed.tarballOf(name)

    it("passes publint without messages", async () => {
      const contents = readFileSync(tarball().file)
      const { messages, pkg } = await publint({ pack: { tarball: new Uint8Array(contents).buffer }, strict: true })
      assert.deepStrictEqual(
        messages.map((message) => formatMessage(message, pkg)),
        []
      )
    })

    const filesOf = () => execFileSync("tar", ["-tzf", tarball().file], { encoding: "utf8" }).trim().split("\n")

    it("contains what it needs, and nothing else", () => {
      const files = filesOf().map((file) => file.replace(/^package\//u, ""))
      const always = ["package.json", "README.md", "LICENSE"]
      assert.includeMembers(files, always)
      const expected = [...contents[name], /^CHANGELOG\.md$/]
      assert.deepStrictEqual(
        files.filter((file) => !always.includes(file) && !expected.some((pattern) => pattern.test(file))),
        []
      )
    })

    it("has a manifest that works outside the workspace", () => {
      const manifest: Readonly<Record<string, unknown>> = JSON.parse(unpacked("package.json"))
      assert.property(manifest, "exports")
      // Bundlers leave out what a program does not use; the applications are programs.
      assert.strictEqual(manifest["sideEffects"], name === "cli" ? undefined : false)
      assert.notInclude(unpacked("package.json"), "workspace:")
      assert.notInclude(unpacked("package.json"), "catalog:")
    })

    const unpacked = (file: string): string =>
      execFileSync("tar", ["-xzOf", tarball().file, `package/${file}`], { encoding: "utf8" })
  })

  describe.each(libraries)("%s", (name) => {
    const tarball = () => packed.tarballOf(name)

    it("has types that resolve for every consumer of ES modules", () => {
      // Fails with what it found.
      execFileSync(process.execPath, [attw, tarball().file, "--profile", "esm-only", "--format", "ascii"])
    })

    const withMap = withMaps.has(name)

    if (withMap)
      it("has each source once, which its maps of code and declarations name", () => {
        const folder = join(packed.folder, name)
        mkdirSync(folder)
        execFileSync("tar", ["-xzf", tarball().file, "-C", folder])
        const root = join(folder, "package")
        const files = readdirSync(root, { recursive: true, encoding: "utf8" })
        const maps = files.filter((file) => file.endsWith(".map"))
        const sources = files.filter((file) => file.startsWith("src/") && file.endsWith(".ts"))
        assert.isAbove(sources.length, 10)
        assert.includeMembers(
          maps,
          sources.flatMap((source) => ["js", "d.ts"].map((end) => `dist/${source.slice(4, -2)}${end}.map`))
        )
        const wrong = maps.filter((file) => {
          const map: SourceMap = JSON.parse(readFileSync(join(root, file), "utf8"))
          const isThere = map.sources.every((source) => existsSync(join(root, dirname(file), source)))
          return !isThere || map.sourcesContent?.some((content) => content !== null)
        })
        assert.deepStrictEqual(wrong, [])
      })

    if (!withMap)
      it("has no map, and no reference to one", () => {
        const files = execFileSync("tar", ["-tzf", tarball().file], { encoding: "utf8" })
        assert.notInclude(files, ".map")
        const code = execFileSync("tar", ["-xzOf", tarball().file, "package/dist/index.js", "package/dist/index.d.ts"])
        assert.notInclude(code.toString(), "sourceMappingURL")
      })
  })
})
