import { afterEach, assert, it, vi } from "@effect/vitest"
import { reasonOf } from "./SweepReport.ts"

afterEach(() => void vi.unstubAllGlobals())

it.each([
  [{ node: "24.0.0" }, "the test never finished"],
  [{ node: "24.0.0", bun: "1.4.5" }, "the test never finished, or it waits on a real timer or socket"],
  [undefined, "the test never finished, or it waits on a real timer or socket"]
])("a sweep reports why a test hung where the runtime is %j", (versions, message) => {
  vi.stubGlobal("process", versions && { ...process, versions })
  assert.strictEqual(reasonOf({ outcome: "hung" }), message)
})
