import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { keepCauses, readCauses } from "./CauseFile.ts"

describe("the file of causes", () => {
  it("is readable by its owner only, and keeps what another session changed", () => {
    const folder = mkdtempSync(join(tmpdir(), "signalbox-"))
    try {
      const environment = { XDG_STATE_HOME: folder }
      assert.strictEqual(readCauses(environment, "eu").causes.size, 0)
      assert.isUndefined(keepCauses(environment, "eu", { _tag: "Noted", cause: "a", note: "first" }))
      assert.isUndefined(keepCauses(environment, "eu", { _tag: "Silenced", cause: "b", until: 7 }))
      assert.deepStrictEqual(Array.from(readCauses(environment, "eu").causes.keys()), ["a", "b"])
      const [name = "", ...others] = readdirSync(join(folder, "signalbox"))
      assert.deepStrictEqual(others, [])
      assert.strictEqual(statSync(join(folder, "signalbox", name)).mode & 0o777, 0o600)
      assert.strictEqual(statSync(join(folder, "signalbox")).mode & 0o777, 0o700)
      assert.strictEqual(keepCauses({}, "eu", { _tag: "Noted", cause: "a", note: "" }), "HOME is not set")
      writeFileSync(join(folder, "file"), "")
      const problem = keepCauses({ XDG_STATE_HOME: join(folder, "file") }, "eu", {
        _tag: "Noted",
        cause: "a",
        note: ""
      })
      assert.include(problem, join(folder, "file"))
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
