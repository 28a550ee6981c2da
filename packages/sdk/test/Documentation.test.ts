import { folderOfSuite } from "@signalbox/testing/Folder"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { createFake } from "@signalbox/test-harness"
import { type FakeServer, listen } from "@signalbox/test-harness/server"
import { execFile } from "node:child_process"
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join, relative } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)
const home = join(import.meta.dirname, "..")
const repository = join(home, "..", "..")
const folders = ["sdk", "howto", "errors", "operations"].map((name) => join(repository, "docs", name))
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc")

const files = [
  join(repository, "README.md"),
  join(home, "README.md"),
  ...folders.flatMap((pages) =>
    readdirSync(pages)
      .filter((name) => name.endsWith(".md"))
      .map((name) => join(pages, name))
  )
]

/** The TypeScript blocks of a page as one module, in which every `expression // => value` is compared. */
const moduleOf = (file: string): string | undefined => {
  const blocks = [...readFileSync(file, "utf8").matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = ""]) => block)
  if (blocks.length === 0) return undefined
  const body = blocks
    .join("\n")
    .replace(
      /^( *)([^/\n]\S.*?) \/\/ => (.*)$/gm,
      (_line, indent: string, left: string, right: string) => `${indent};claim(${left}, ${right})`
    )
  return `import * as assertions from "node:assert"\nconst claim = (left: unknown, right: unknown) => assertions.deepStrictEqual(left, right)\nclaim(0, 0)\n${body}`
}

describe("every TypeScript block of the pages", () => {
  // Outside of the repository, whose other checks run at the same time.
  const folder = folderOfSuite()
  const modules = files.flatMap((file) => {
    const text = moduleOf(file)
    const name = relative(repository, file).replace(/\.md$/, "").replaceAll("/", "-")
    return text === undefined ? [] : [{ name, text, path: join(folder, `${name}.ts`) }]
  })
  let server: FakeServer
  let apiKey = ""

  beforeAll(async () => {
    const fake = createFake({ seed: 7 })
    apiKey = fake.apiKey
    server = await listen(fake, { port: 0 })
    for (const { path, text } of modules) writeFileSync(path, text)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    const installed = join(home, "node_modules")
    mkdirSync(join(folder, "node_modules", "@signalbox"), { recursive: true })
    symlinkSync(home, join(folder, "node_modules", "@signalbox", "sdk"))
    for (const name of ["@signalbox/test-harness", "@types", "effect", "undici"]) {
      symlinkSync(join(installed, name), join(folder, "node_modules", name))
    }
    writeFileSync(
      join(folder, "tsconfig.json"),
      JSON.stringify({
        extends: join(home, "tsconfig.test.json"),
        compilerOptions: { noUnusedLocals: false, noUnusedParameters: false },
        include: ["*.ts"]
      })
    )
  })
  afterAll(async () => {
    await server.close()
  })

  it("has the types that it shows", async () => {
    const { stdout } = await run(process.execPath, [compiler, "-p", folder]).catch((error: unknown) => {
      throw new Error(String((error as { readonly stdout?: string }).stdout))
    })
    assert.strictEqual(stdout, "")
  })

  for (const { name, path } of modules) {
    it(`does what it says: ${name}`, async () => {
      const env = { ...process.env, SIGNALBOX_API_KEY: apiKey, SIGNALBOX_BASE_URL: server.url, NODE_OPTIONS: "" }
      const { stderr } = await run(process.execPath, ["--no-warnings", path], { env })
      assert.strictEqual(stderr, "")
    })
  }
})
