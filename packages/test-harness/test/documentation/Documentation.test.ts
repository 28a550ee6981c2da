import { builtProgram } from "@signalbox/node-build/Sources"
import { folderOfSuite } from "@signalbox/testing/Folder"
import { freePort } from "@signalbox/testing/Loopback"
import { type Ended, startProgram } from "@signalbox/testing/Program"
import { assert, beforeAll, describe, it } from "@effect/vitest"
import { onTestFinished } from "vitest"
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { moduleOf, type Page, pageOf, pagesOf, printed, promised, scriptOf } from "./Page.ts"

const home = join(import.meta.dirname, "..", "..")
const guide = join(home, "..", "..", "docs", "testing")
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc")
const pages = pagesOf(guide)
const readme = pageOf("package-readme", join(home, "README.md"))

/** Runs a program, and ends what it has started and not ended itself with the test. */
const run = (
  command: string,
  words: ReadonlyArray<string>,
  options: { readonly cwd: string; readonly path?: string }
): Promise<Ended> => {
  const PATH = `${options.path ?? ""}:${process.env["PATH"] ?? ""}`
  const env = { ...process.env, NODE_OPTIONS: "", NO_COLOR: "1", PATH }
  const { child, ended } = startProgram(command, words, { cwd: options.cwd, env, detached: true })
  onTestFinished(() => {
    try {
      process.kill(-(child.pid ?? assert.fail("not started")), "SIGKILL")
    } catch {
      // All of them have ended.
    }
  })
  return ended
}

/** Runs the module of a page with the runner that it is written for. */
const runnerOf = (module: string): ReadonlyArray<string> => {
  if (/"(?:@signalbox\/test-harness|@effect)\/vitest"/u.test(module)) {
    return [join(home, "node_modules", "vitest", "vitest.mjs"), "run", "--reporter=default"]
  }
  return module.includes(`"node:test"`) ? ["--no-warnings", "--test"] : ["--no-warnings"]
}

describe("the guide", () => {
  // Outside of the repository, because its other checks run at the same time.
  const folder = folderOfSuite()
  const bin = join(folder, "bin")
  const programs = [readme, ...pages]
    .filter(({ typescript }) => typescript.length > 0)
    .map((page) => ({ page, text: moduleOf(page), path: join(folder, `${page.name}.test.ts`) }))

  beforeAll(() => {
    for (const { path, text } of programs) writeFileSync(path, text)
    writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }))
    const modules = join(folder, "node_modules")
    mkdirSync(join(modules, "@signalbox"), { recursive: true })
    symlinkSync(home, join(modules, "@signalbox", "test-harness"))
    symlinkSync(join(home, "..", "sdk"), join(modules, "@signalbox", "sdk"))
    for (const name of ["@effect", "@types", "effect", "vitest"]) {
      symlinkSync(join(home, "node_modules", name), join(modules, name))
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
  /** Makes `npx` run the built fake. */
  const installNpx = (): void => {
    const program = builtProgram(new URL("../..", import.meta.url), "signalbox-fake.js")
    mkdirSync(bin, { recursive: true })
    writeFileSync(join(bin, "npx"), `#!/bin/sh\nshift 3\nexec "${process.execPath}" "${program}" "$@"\n`)
    chmodSync(join(bin, "npx"), 0o755)
  }

  it("has correct types", async () => {
    const { stdout } = await run(process.execPath, [compiler, "-p", folder], { cwd: folder })
    assert.strictEqual(stdout, "")
  })

  for (const { page, path, text } of programs) {
    it(`examples work: ${page.name}`, async () => {
      const runner = runnerOf(text)
      const { code, stderr, stdout } = await run(process.execPath, [...runner, path], { cwd: folder })
      assert.deepStrictEqual({ code, stderr }, { code: 0, stderr: "" }, stdout)
      if (runner.length === 1) assert.deepStrictEqual(printed(stdout), promised(page.typescript))
    })
  }

  const runsInShell = ({ name, shell }: Page): boolean => shell.length > 0 && name !== "README"

  for (const page of pages.filter(runsInShell)) {
    it(`shell examples work: ${page.name}`, async () => {
      installNpx()
      const port = String(await freePort())
      const script = scriptOf(page).replaceAll("4010", port)
      const { code, stderr, stdout } = await run("sh", ["-c", script], { cwd: folder, path: bin })
      assert.strictEqual(code, 0, stderr)
      assert.deepStrictEqual(printed(stdout.replaceAll(port, "4010")), promised(page.shell))
    })
  }

  it("links to pages that exist", () => {
    const links = pages.flatMap(({ links, name }) => links.map((link) => ({ name, link })))
    assert.isAbove(links.length, 10)
    assert.deepStrictEqual(
      links.filter(({ link }) => !existsSync(join(guide, link))),
      []
    )
  })
})
