import { folderOfTest } from "@signalbox/testing/Folder"
import { assert, describe, it } from "@effect/vitest"
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { buildForNode } from "./NodeBuild.ts"
import { buildStandalone } from "./StandaloneBuild.ts"

const installed = (name: string): string => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`))

/** A library of these source files and an entry for the package `inner`, with what an earlier build left in `dist`. */
const libraryOf = (sources: Readonly<Record<string, string>>, settings: object = {}): string => {
  const folder = folderOfTest()
  const write = (name: string, text: string) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const compilerOptions = {
    target: "es2022",
    module: "nodenext",
    rootDir: "src",
    outDir: "dist",
    types: [],
    composite: true,
    rewriteRelativeImportExtensions: true,
    ...settings
  }
  const exports = { ".": "./src/index.ts", "./inner": "./src/inner.ts" }
  write("package.json", JSON.stringify({ name: "a-library", type: "module", exports }))
  write("src/inner.ts", `export * from "inner"\n`)
  write("node_modules/inner/package.json", JSON.stringify({ name: "inner", type: "module", exports: "./index.js" }))
  write("node_modules/inner/index.js", "export const inner = 1\n")
  write("node_modules/inner/index.d.ts", "export type Inner = 1\nexport declare const inner: Inner\n")
  write("tsconfig.build.json", JSON.stringify({ compilerOptions, include: ["src"] }))
  for (const [name, text] of Object.entries(sources)) write(join("src", name), text)
  for (const name of ["removed.js", "removed.d.ts", "node/removed.js", "chunks/removed.js"]) {
    write(join("dist", name), "export {}\n")
  }
  symlinkSync(installed("typescript"), join(folder, "node_modules", "typescript"))
  return folder
}

const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(join(folder, "dist"), { recursive: true, encoding: "utf8" }).filter((name) => /\.[jt]s$/.test(name))

const sources = {
  "index.ts": `export { two } from "./two.ts"\nexport type { Two } from "./two.ts"\n`,
  "two.ts": `/** About the module. */
const unused = 1

/** The number two. */
export type Two = 2

/** Two, as a value. */
export const two: Two = unused === 1 ? 2 : 2
`
}

describe("a build for Node", () => {
  it("leaves nothing of an earlier build in dist", async () => {
    const folder = libraryOf(sources)
    await buildForNode(folder)
    assert.deepStrictEqual(filesIn(folder).toSorted(), [
      "index.d.ts",
      "index.js",
      "inner.d.ts",
      "inner.js",
      "node/index.js",
      "node/inner.js",
      "two.d.ts",
      "two.js"
    ])
  })
})

const standalone = { inlined: ["inner"], chunks: [{ name: "library", modules: /two\.ts$/ }] }

describe("a standalone build", () => {
  it("leaves nothing of an earlier build in dist, and one declaration file for an entry", async () => {
    const folder = libraryOf(sources, { emitDeclarationOnly: true })
    await buildStandalone(folder, standalone)
    assert.deepStrictEqual(filesIn(folder).toSorted(), [
      "chunks/library.js",
      "index.d.ts",
      "index.js",
      "inner.d.ts",
      "inner.js"
    ])
    const declarations = readFileSync(join(folder, "dist", "index.d.ts"), "utf8")
    assert.include(declarations, "/** The number two. */\ntype Two = 2;")
    assert.include(declarations, "/** Two, as a value. */\ndeclare const two: Two;")
    assert.notInclude(declarations, "About the module")
    assert.notInclude(declarations, "reference lib")
  })

  it("has the comments of members where the compiler finds them", async () => {
    const text = `/** Options. */
export type Options = "none" | {
  /** The first option. */
  readonly first?: number | undefined
  /** The second option. */
  readonly second?: number | undefined
}
`
    const folder = libraryOf(
      { "index.ts": `export type { Options } from "./two.ts"\nexport const one = 1\n`, "two.ts": text },
      { emitDeclarationOnly: true }
    )
    await buildStandalone(folder, standalone)
    const declarations = readFileSync(join(folder, "dist", "index.d.ts"), "utf8")
    assert.match(declarations, /^\s*\/\*\* The first option\. \*\/\s*readonly first/m)
    assert.match(declarations, /^\s*\/\*\* The second option\. \*\/\s*readonly second/m)
  })

  it("names the library of the compiler that has the types of `using`", async () => {
    const text = "/** Can be closed. */\nexport interface Closable extends AsyncDisposable {}\nexport const two = 2\n"
    const folder = libraryOf(
      { "index.ts": `export * from "./two.ts"\n`, "two.ts": text },
      { emitDeclarationOnly: true, lib: ["es2022", "esnext.disposable"] }
    )
    await buildStandalone(folder, standalone)
    const declarations = readFileSync(join(folder, "dist", "index.d.ts"), "utf8")
    assert.isTrue(declarations.startsWith(`/// <reference lib="esnext.disposable" />\n`))
  })

  it("needs no package for the syntax that older platforms lack", async () => {
    const text = `/** Uses a resource. */
export const two = async (open: () => AsyncDisposable): Promise<number> => {
  await using _resource = open()
  return 2
}
`
    const folder = libraryOf(
      { "index.ts": `export { two } from "./two.ts"\n`, "two.ts": text },
      { emitDeclarationOnly: true, lib: ["es2022", "esnext.disposable"] }
    )
    await buildStandalone(folder, standalone)
    const code = filesIn(folder)
      .filter((name) => name.endsWith(".js") && name !== "inner.js")
      .map((name) => readFileSync(join(folder, "dist", name), "utf8"))
      .join("\n")
    assert.notMatch(code, /\bawait using\b/)
    assert.notMatch(code, /from "[^.]/)
  })

  it("has examples that its consumers can run", async () => {
    const text = `/**
 * The number two.
 *
 * @example
 * \`\`\`ts
 * import { two } from "inner/Two"
 *
 * two // => 2
 * \`\`\`
 */
export const two = 2

/**
 * The number three, for programs on inner.
 *
 * @example
 * \`\`\`ts
 * import { inner } from "inner"
 *
 * inner // => 1
 * \`\`\`
 */
export const three = 3
`
    const index = `export { three, two } from "./two.ts"\n`
    const folder = libraryOf({ "index.ts": index, "two.ts": text }, { emitDeclarationOnly: true })
    await buildStandalone(folder, standalone)
    const declarations = readFileSync(join(folder, "dist", "index.d.ts"), "utf8")
    assert.include(declarations, ` * import { two } from "a-library"\n *\n * two // => 2`)
    assert.include(declarations, "/**\n * The number three, for programs on inner.\n */")
    assert.notInclude(declarations, "inner/Two")
  })

  it("fails for a declaration that needs an inlined package, which consumers do not have", async () => {
    const folder = libraryOf(
      {
        ...sources,
        "index.ts": `import type { Inner } from "inner"\nexport { two } from "./two.ts"\nexport type Own = Inner\n`
      },
      { emitDeclarationOnly: true }
    )
    const failure: unknown = await buildStandalone(folder, standalone).catch((error: unknown) => error)
    assert.include(String(failure), 'index.d.ts needs `import { Inner } from "inner"`, which consumers do not have')
  })
})
