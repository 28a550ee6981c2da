import { spawnSync } from "node:child_process"
import { cpSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { createServer } from "node:http"
import { assert, describe, it, onTestFinished } from "@effect/vitest"
import { folderOfTest } from "@signalbox/testing/Folder"
import { listenOnLoopback } from "@signalbox/testing/Loopback"
import { preload, startProgram } from "@signalbox/testing/Program"
import { type BuildOptions, build } from "esbuild"
import { read } from "./Workspace.ts"

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
})

/** A clone with what an installation reads. */
const cloneOfBootstrap = () => {
  const clone = folderOfTest()
  for (const name of ["package.json", "pnpm-lock.yaml", "pnpm-workspace.yaml", "tooling/bootstrap", "tooling/node"]) {
    cpSync(join(root, name), join(clone, name), { recursive: true, filter: (path) => !path.includes("node_modules") })
  }
  for (const name of ["apps", "packages"]) mkdirSync(join(clone, name))
  return clone
}

const install = (folder: string, environment: Readonly<Record<string, string>>) => {
  const { status, stderr, stdout } = spawnSync(process.execPath, ["tooling/bootstrap/install.mjs", "start"], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...environment },
    encoding: "utf8"
  })
  return { status, output: stdout + stderr }
}

const onNode = (version: string) =>
  preload(`Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${version}" } })`)

// The substitute of npm is a script for a shell.
describe.skipIf(process.platform === "win32")("an installation for npm start", () => {
  const withNpm = (clone: string) => {
    const npm = join(clone, "bin", "npm")
    mkdirSync(join(clone, "bin"))
    const pnpm = "node_modules/pnpm/bin"
    writeFileSync(npm, `#!/bin/sh\nmkdir -p ${pnpm}\necho 'console.log(process.argv)' > ${pnpm}/pnpm.mjs\n`, {
      mode: 0o755
    })
    return { PATH: `${join(clone, "bin")}:${process.env["PATH"]}` }
  }

  it("leaves no package manager, and installs a Node for the apps once the machine's Node has become too old", () => {
    const clone = cloneOfBootstrap()
    const environment = withNpm(clone)
    const first = install(clone, { ...environment, ...onNode("24.0.0") })
    assert.strictEqual(first.status, 0)
    assert.include(first.output, "@signalbox/start")
    assert.notInclude(first.output, "@signalbox/node")
    assert.deepStrictEqual(readdirSync(join(clone, "node_modules")), [".signalbox-install-start"])
    assert.deepStrictEqual(install(clone, { ...environment, ...onNode("24.0.0") }), { status: 0, output: "" })
    assert.include(install(clone, { ...environment, ...onNode("20.0.0") }).output, "--filter=@signalbox/node")
  })
})

describe("an installation that is impossible", () => {
  it("is refused with one sentence below Node 18", () => {
    assert.deepStrictEqual(install(root, onNode("16.20.2")), {
      status: 2,
      output: "Signalbox needs Node 18 or later; this is 16.20.2.\n"
    })
  })

  /** Installs in a clone with an empty cache and another registry. */
  const installFrom = async (registry: string) => {
    const clone = cloneOfBootstrap()
    const env = {
      PATH: process.env["PATH"],
      npm_config_registry: registry,
      npm_config_cache: join(clone, "cache")
    }
    const words = ["tooling/bootstrap/install.mjs", "start"]
    const { code, stderr, stdout } = await startProgram(process.execPath, words, { cwd: clone, env }).ended
    return [code, (stdout + stderr).split("\n")[1]]
  }

  it("is reported in one line without a connection to the registry", async () => {
    assert.deepStrictEqual(await installFrom("http://127.0.0.1:1"), [
      1,
      `Signalbox: cannot download ${packageManager}: no connection to the npm registry (ECONNREFUSED). Nothing was started.`
    ])
  })

  // The lock file has the executable of pnpm for Linux, where the release is built.
  if (process.platform === "linux") {
    it("is refused where the registry sends another package manager", async () => {
      const [name = "", version = ""] = packageManager.split("@")
      const server = createServer(({ headers, url = "" }, response) => {
        const dist = { tarball: `http://${headers.host}${url}/it.tgz` }
        const manifest = { name: decodeURIComponent(url.slice(1)), version, dist }
        response.end(
          url.endsWith(".tgz") ? "another program" : JSON.stringify({ name, versions: { [version]: manifest } })
        )
      })
      onTestFinished(() => void server.close())
      assert.deepStrictEqual(await installFrom(`http://127.0.0.1:${await listenOnLoopback(server)}`), [
        1,
        `Signalbox: ${packageManager} is not what pnpm-lock.yaml has the hash of (EINTEGRITY). Nothing was started.`
      ])
    })
  }
})

describe("the scheduled workflow", () => {
  it("runs each check that takes hours", () => {
    const [, matrix = ""] = /check: \[(.+)\]/u.exec(read(".github/workflows/verify-long.yml")) ?? []
    const checks = [...read("tooling/bootstrap/verifyLong.mjs").matchAll(/^ {2}"?([\w-]+)"?: \[/gmu)]
    assert.sameMembers(
      matrix.split(", "),
      checks.map(([, name = ""]) => name)
    )
  })
})
