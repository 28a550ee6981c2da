import { assert, describe, it } from "@effect/vitest"
import { TaggedError } from "./TaggedError.ts"

class Sample extends TaggedError("Sample")<{ readonly message: string; readonly limit: number }> {}

describe("TaggedError", () => {
  it("has no frames, and keeps the number of frames of other errors", () => {
    const { stackTraceLimit } = Error
    assert.strictEqual(new Sample({ message: "too many", limit: 3 }).stack, "Sample: too many")
    assert.strictEqual(Error.stackTraceLimit, stackTraceLimit)
    assert.include(new Error("other").stack, "TaggedError.test.ts")
  })

  it("works where the number of frames cannot be changed", () => {
    const property = Object.getOwnPropertyDescriptor(Error, "stackTraceLimit") ?? {}
    Object.defineProperty(Error, "stackTraceLimit", { writable: false })
    try {
      assert.strictEqual(new Sample({ message: "too many", limit: 3 }).stack, "Sample: too many")
    } finally {
      Object.defineProperty(Error, "stackTraceLimit", property)
    }
  })
})
