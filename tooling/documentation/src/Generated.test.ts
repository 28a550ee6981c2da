import { assert, describe, it } from "@effect/vitest"
import { generated } from "./Generated.ts"
import { read } from "./Repository.ts"

/** The cells of tables without their padding, which the formatter adds. */
const unpadded = (text: string): string => text.replaceAll(/ +(?=\|)|(?<=\|) +/g, "").replaceAll(/-{3,}/g, "---")

describe("generated documents are up to date; otherwise run `pnpm --filter @signalbox/documentation run write`", () => {
  it.each(Object.entries(generated))("%s", (path, make) => {
    assert.strictEqual(unpadded(read(path)), unpadded(make()))
  })
})
