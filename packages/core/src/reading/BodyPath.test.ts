import { assert, describe, it } from "@effect/vitest"
import { format } from "./BodyPath.ts"

describe("format", () => {
  it.each([
    [[], ""],
    [["data"], "data"],
    [["data", 3, "jobs", 0, "_id"], "data[3].jobs[0]._id"],
    [[1, "cta"], "[1].cta"],
    [["odd key", "a.b", "7", ""], '["odd key"]["a.b"]["7"][""]'],
    [["payload", "line\nbreak"], 'payload["line\\nbreak"]']
  ] as const)("writes %j as one would in JavaScript", (path, text) => {
    assert.strictEqual(format(path), text)
  })
})
