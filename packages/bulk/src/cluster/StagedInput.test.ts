import { assert, describe, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import { checkPublicKey, makeInputKeys, open, seal } from "./StagedInput.ts"

describe("a staged input", () => {
  const keys = makeInputKeys()
  const content = Buffer.from('{"credentials":{"deviceTokens":["secret"]}}\n')
  const sealed = seal(keys.publicKey, "run/0", content)

  it("is read with the key of the workers only, and only in its place", () => {
    assert.isTrue(open(keys.inputKey, "run/0", sealed).equals(content))
    assert.isFalse(sealed.includes("secret"))
    assert.throws(() => open(makeInputKeys().inputKey, "run/0", sealed))
    assert.throws(() => open(Redacted.make(keys.publicKey), "run/0", sealed))
    assert.throws(() => open(keys.inputKey, "run/1", sealed))
  })

  it("is not read after it was changed, wherever", () => {
    for (const at of [0, 31, 32, 44, sealed.length - 17, sealed.length - 1]) {
      const changed = Buffer.from(sealed)
      changed[at] = (changed[at] ?? 0) ^ 4
      assert.throws(() => open(keys.inputKey, "run/0", changed))
    }
  })

  it("looks different each time", () => assert.isFalse(seal(keys.publicKey, "run/0", content).equals(sealed)))

  it("needs a key, and the error does not show what was given instead", () => {
    assert.isUndefined(checkPublicKey("the key", keys.publicKey))
    for (const text of ["", "hunter2", Redacted.value(keys.inputKey), `${keys.publicKey}=`, "ä".repeat(43)]) {
      const error = checkPublicKey("the key", text)
      assert.include(error?.message, "the key is not a public key")
      if (text !== "") assert.notInclude(error?.message, text)
    }
  })
})
