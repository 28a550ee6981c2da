import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { parseRun } from "../Run.ts"
import { size } from "./Size.ts"

const kept = parseRun(readFileSync(new URL("../../measured.json", import.meta.url), "utf8"))
const keptBytes = new Map(kept.reports.flatMap(({ rows }) => rows.map(({ id, value }) => [id, value] as const)))
const tolerance = 1.05

const measured = async () => {
  const { rows } = await size()
  return (id: string) => rows.find((row) => row.id === id)?.value ?? Number.NaN
}

describe("size", () => {
  it("of core has not grown by more than 5 % since the figures in docs/benchmarks.md", async () => {
    const bytes = await measured()
    assert.isAtMost(bytes("size/core-list"), (keptBytes.get("size/core-list") ?? 0) * tolerance)
  }, 60_000)

  it("of a list call through the SDK stays below two thirds of the peer that reads the same listing", async () => {
    const bytes = await measured()
    assert.isBelow(bytes("size/sdk-list"), bytes("size/novu-function") * 0.66)
  }, 60_000)
})
