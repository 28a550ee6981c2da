import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { shapesFile, shapesText } from "../../writeReaders.ts"

it("the shapes are those of the schemas; `pnpm --filter @signalbox/core run readers` writes them", () => {
  assert.strictEqual(readFileSync(shapesFile, "utf8"), shapesText())
})
