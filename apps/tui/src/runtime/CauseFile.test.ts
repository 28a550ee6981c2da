import { readdirSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { folderOfTest } from "@signalbox/testing/Folder"
import { assert, describe, it } from "@effect/vitest"
import { keepCauses, readCauses } from "./CauseFile.ts"

describe("the file of causes", () => {
  it("is readable by its owner only, and keeps what another session changed", () => {
    const folder = folderOfTest()
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
  })

  it("removes secrets from notes, and keeps the notes", () => {
    const environment = { XDG_STATE_HOME: folderOfTest() }
    const secret = "abcdefghijklmnop0123"
    const notes = [`apiKey=${secret}\\`, `say "Bearer ${secret}" to it`, `{"token":"${secret}"}`, "ticket 4711"]
    for (const note of notes) {
      assert.isUndefined(keepCauses(environment, "eu", { _tag: "Noted", cause: `unknown/push/${note}`, note }))
    }
    const kept = Array.from(readCauses(environment, "eu").causes.values(), ({ note }) => note)
    assert.lengthOf(kept, notes.length)
    assert.notInclude(kept.join(), secret)
    assert.match(kept.join(), /say .* to it.*ticket 4711/u)
  })
})
