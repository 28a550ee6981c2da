import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs"
import { isBuiltin } from "node:module"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { folderOfTest } from "@signalbox/testing/Folder"
import { preload } from "@signalbox/testing/Program"
import { type BuildOptions, build } from "esbuild"

const root = fileURLToPath(new URL("../../../", import.meta.url))

const { packageManager }: { readonly packageManager: string } = JSON.parse(
  readFileSync(join(root, "package.json"), "utf8")
)

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
  it("suffices: the terminal UI is built and runs where nothing else is installed", () => {
    const clone = folderOfTest()
    const tracked = spawnSync(
      "git",
      ["ls-files", "-z", "apps/tui", "packages", "tooling/start", "tooling/node*", "tsconfig*.json"],
      {
        cwd: root,
        encoding: "utf8"
      }
    )
    for (const path of tracked.stdout.split("\0").filter((name) => existsSync(join(root, name)) && name !== "")) {
      cpSync(join(root, path), join(clone, path), { recursive: true })
    }
    const installed = join("tooling", "start", "node_modules")
    const { dependencies } = JSON.parse(readFileSync(join(root, "tooling/start/package.json"), "utf8")) as {
      readonly dependencies: Readonly<Record<string, string>>
    }
    for (const name of Object.keys(dependencies)) {
      const real = realpathSync(join(root, installed, name))
      const inClone = real.includes("node_modules") ? real : join(clone, relative(root, real))
      mkdirSync(dirname(join(clone, installed, name)), { recursive: true })
      symlinkSync(inClone, join(clone, installed, name))
    }
    const run = (...words: ReadonlyArray<string>) =>
      spawnSync(process.execPath, words, { cwd: clone, encoding: "utf8", env: { PATH: process.env["PATH"] } })

    const { status, stderr } = run("tooling/start/build.mjs")
    assert.deepStrictEqual([stderr, status], ["", 0])
    assert.include(run("tooling/start/dist/main.js", "--help").stdout, "--demo-events")
  })
})

describe("an installation that is impossible", () => {
  const install = (folder: string, environment: Readonly<Record<string, string>>) => {
    const { status, stderr, stdout } = spawnSync(process.execPath, ["tooling/bootstrap/install.mjs", "start"], {
      cwd: folder,
      env: { PATH: process.env["PATH"], ...environment },
      encoding: "utf8"
    })
    return { status, output: stdout + stderr }
  }

  it("is refused with one sentence below Node 18", () => {
    const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "16.20.2" } })'
    assert.deepStrictEqual(install(root, preload(older)), {
      status: 2,
      output: "Signalbox needs Node 18 or later; this is 16.20.2.\n"
    })
  })

  it("is reported in one line without a connection to the registry", () => {
    const clone = folderOfTest()
    for (const name of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "tooling/bootstrap", "tooling/node"]) {
      cpSync(join(root, name), join(clone, name), { recursive: true, filter: (path) => !path.includes("node_modules") })
    }
    for (const name of ["apps", "packages"]) mkdirSync(join(clone, name))
    const unreachable = { npm_config_registry: "http://127.0.0.1:1", npm_config_cache: join(clone, "cache") }
    assert.deepStrictEqual(install(clone, unreachable), {
      status: 1,
      output:
        "Signalbox: installing dependencies (first run, or the lockfile changed)\n" +
        `Signalbox: cannot download ${packageManager}: no connection to the npm registry (ECONNREFUSED). Nothing was started.\n`
    })
  })
})
