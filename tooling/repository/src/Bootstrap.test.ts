import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "@effect/vitest"

const root = fileURLToPath(new URL("../../../", import.meta.url))

interface Task {
  readonly taskId: string
  readonly command: string
}

describe("the installation of the apps", () => {
  // `install.mjs apps` leaves out what builds the libraries.
  it.each(["@signalbox/tui", "@signalbox/cli"])("is enough: the build of %s builds no library", (app) => {
    const { status, stderr, stdout } = spawnSync(
      process.execPath,
      ["tooling/bootstrap/turbo.mjs", "build", `--filter=${app}`, "--dry=json"],
      { cwd: root, encoding: "utf8" }
    )
    assert.strictEqual(status, 0, stderr)
    const { tasks } = JSON.parse(stdout) as { readonly tasks: ReadonlyArray<Task> }
    assert.deepStrictEqual(
      tasks.filter(({ command }) => command !== "<NONEXISTENT>").map(({ taskId }) => taskId),
      [`${app}#build`]
    )
  })
})
