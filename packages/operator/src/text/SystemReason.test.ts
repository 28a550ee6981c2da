import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { systemReason } from "./SystemReason.ts"

describe("the reason of the operating system", () => {
  it("is what Node says, without the path", () => {
    try {
      readFileSync("/nowhere/at all")
      assert.fail("the file exists")
    } catch (error) {
      assert.strictEqual(systemReason(error), "no such file or directory (ENOENT)")
    }
    assert.strictEqual(
      systemReason(new Error("ENOSPC: no space left on device, write")),
      "no space left on device (ENOSPC)"
    )
  })

  it("is the message of other errors", () => {
    assert.strictEqual(systemReason(new Error("The disk is gone")), "The disk is gone")
    assert.strictEqual(systemReason("gone"), "gone")
  })
})
