/**
 * Scenarios of bulk runs: processes are killed at every write, request and response, and others take up their work.
 */
import type { Family } from "../Family.ts"
import { checkBulk } from "./BulkOracle.ts"
import { type BulkObservation, type BulkUnderTest, runBulk, shippedBulk } from "./BulkRun.ts"
import { bulkScenario, type BulkScenario } from "./BulkScenario.ts"
import { bulkTimeline } from "./BulkTimeline.ts"

/** Scenarios of bulk runs. */
export const bulk: Family<BulkScenario, BulkObservation, BulkUnderTest> = {
  name: "bulk",
  client: shippedBulk,
  scenario: bulkScenario,
  run: runBulk,
  check: checkBulk,
  timeline: bulkTimeline,
  outcomes: ({ lives, report = [] }) => [
    ...lives.map(({ end }) => (typeof end === "string" ? end : end._tag)),
    ...report.map(({ outcome }) => outcome)
  ]
}
