import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"
import { folderOfTest } from "@signalbox/testing/Folder"

const root = fileURLToPath(new URL("../../../", import.meta.url))

// The packages of `npm start` are installed for `npm run verify`, not for `npm test`.
describe("the installation of npm start", () => {
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
