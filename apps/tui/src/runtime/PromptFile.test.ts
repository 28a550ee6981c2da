import { folderOfTest } from "@signalbox/testing/Folder"
import { mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as OwnKeys from "@signalbox/operator/connections/OwnKeys"
import * as Redacted from "effect/Redacted"
import { maxRemembered, type PromptPurpose } from "../state/TypedBefore.ts"
import { keepPrompts, readPrompts } from "./PromptFile.ts"

const keep = (typed: Readonly<Partial<Record<PromptPurpose, ReadonlyArray<string>>>>) => {
  const environment = { XDG_STATE_HOME: folderOfTest() }
  // The keys of a literal object.
  const purposes = Object.entries(typed) as ReadonlyArray<[PromptPurpose, ReadonlyArray<string>]>
  assert.isUndefined(keepPrompts(environment, new Map(purposes)))
  return { environment, file: join(environment.XDG_STATE_HOME, "signalbox", "prompts.json") }
}

describe("the entries of prompts", () => {
  it("are kept for the next session, with those of another one, the latest last", () => {
    const { environment, file } = keep({ filter: ["status:failed", "invoice A-4226"], export: ["a.ndjson"] })
    keepPrompts(environment, new Map([["filter", ["channel:push", "status:failed"]]]))
    assert.deepStrictEqual(
      readPrompts(environment),
      new Map<PromptPurpose, ReadonlyArray<string>>([
        ["filter", ["invoice A-4226", "channel:push", "status:failed"]],
        ["export", ["a.ndjson"]]
      ])
    )
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)
  })

  it("are bounded", () => {
    const many = Array.from({ length: 80 }, (_, index) => `order ${index}`)
    const { environment } = keep({ filter: many })
    assert.deepStrictEqual(readPrompts(environment).get("filter"), many.slice(-maxRemembered))
  })

  it("are not kept where they may hold a token", () => {
    OwnKeys.protectKey(Redacted.make("own-key-1"))
    const entries = [
      "payload.token:xoxb-2042387410-abcdef",
      "https://hooks.example.test/T0/B0",
      "dGhpcy1pcy1hLXRva2Vu:of_a-device2",
      "Authorization: Bearer abc.def",
      "own-key-1",
      "ExponentPushToken[aaaaaaaaaaaaaaaaaaaaaa]",
      "a".repeat(40),
      "word ".repeat(100)
    ]
    const { environment, file } = keep({ filter: [...entries, "invoice"], search: ["K7q2"], messages: ["65f0a1"] })
    assert.deepStrictEqual(readPrompts(environment).get("filter"), ["invoice"])
    for (const text of [...entries, "K7q2", "65f0a1"]) assert.notInclude(readFileSync(file, "utf8"), text)
  })

  it.each(["", "[]", "null", '{"filter":1}', '{"filter":[1,{}]}', "{"])("are none in a damaged file: %j", (text) => {
    const folder = folderOfTest()
    mkdirSync(join(folder, "signalbox"))
    writeFileSync(join(folder, "signalbox", "prompts.json"), text)
    assert.deepStrictEqual(readPrompts({ XDG_STATE_HOME: folder }), new Map())
  })
})
