import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { type BuildOptions, build } from "esbuild"

const root = fileURLToPath(new URL("../../../", import.meta.url))

interface Task {
  readonly taskId: string
  readonly command: string
}

describe("the installation of the command line", () => {
  // `install.mjs apps` leaves out what builds the libraries.
  it("suffices: the build of @signalbox/cli builds no library", () => {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ["tooling/bootstrap/turbo.mjs", "build", "--filter=@signalbox/cli", "--dry=json"],
      { cwd: root, encoding: "utf8" }
    )
    assert.strictEqual(status, 0, stderr)
    const { tasks } = JSON.parse(stdout) as { readonly tasks: ReadonlyArray<Task> }
    assert.deepStrictEqual(
      tasks.filter(({ command }) => command !== "<NONEXISTENT>").map(({ taskId }) => taskId),
      ["@signalbox/cli#build"]
    )
  })
})

const packageOf = (specifier: string): string => specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/")

describe("the installation of npm start", () => {
  it("has every package that the sources of the terminal UI import, and no other", async () => {
    const { bundle }: { readonly bundle: BuildOptions } = await import(join(root, "apps/tui/bundling.mjs"))
    const { metafile } = await build({ ...bundle, metafile: true, write: false, outdir: "dist" })
    const imported = Object.entries(metafile?.inputs ?? {})
      .filter(([path]) => !path.includes("node_modules") && !path.includes(":"))
      .flatMap(([, { imports }]) => imports.map(({ original = "." }) => original))
      .filter((specifier) => /^[@a-z]/.test(specifier) && !isBuiltin(specifier))
      .map(packageOf)
    const { dependencies } = JSON.parse(readFileSync(join(root, "tooling/start/package.json"), "utf8")) as {
      readonly dependencies: Readonly<Record<string, string>>
    }
    assert.deepStrictEqual([...new Set([...imported, "esbuild"])].toSorted(), Object.keys(dependencies).toSorted())
  })
})
