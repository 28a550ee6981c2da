import { assert, it } from "@effect/vitest"
import type { DriftReport } from "@signalbox/core/Drift"
import { addReport, type Differences } from "./Difference.ts"

const reportOf = (names: ReadonlyArray<string>): DriftReport => ({
  operation: "events.list",
  entries: names.map((name) => ({ kind: "unknown-field", path: `data[0].${name}` })),
  unreadable: [],
  count: names.length
})

it("keeps a limited number of differences, and counts those that it has", () => {
  const differences: Differences = new Map()
  addReport(differences, reportOf(Array.from({ length: 1500 }, (_, at) => `field-${at}`)))
  addReport(differences, reportOf(["field-0", "field-1499"]))
  assert.deepStrictEqual([differences.size, differences.values().next().value?.count], [1000, 2])
})
