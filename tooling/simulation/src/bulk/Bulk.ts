/**
 * Scenarios of bulk runs: processes are killed at every write, request and response, and others take up their work.
 */
import type { Family, Line } from "../Family.ts"
import { requestLines } from "../Timeline.ts"
import { brokenBulk } from "./BrokenBulk.ts"
import { checkBulk } from "./BulkOracle.ts"
import { type BulkObservation, type BulkUnderTest, runBulk, shippedBulk } from "./BulkRun.ts"
import { bulkScenario, type BulkScenario } from "./BulkScenario.ts"

const linesOf = ({ journal, lives, report = [], status }: BulkObservation): ReadonlyArray<Line> => {
  const endedAt = lives.at(-1)?.at ?? 0
  return [
    ...requestLines(journal),
    ...lives.map(({ at, end }, index) => ({
      at,
      text: `process ${index + 1} ${typeof end === "string" ? end : `fails: ${end.message}`}`
    })),
    ...[...report, status?.counts].map((known) => ({ at: endedAt, text: JSON.stringify(known) ?? "no status" }))
  ]
}

/** Scenarios of bulk runs. */
export const bulk: Family<BulkScenario, BulkObservation, BulkUnderTest> = {
  name: "bulk",
  runs: 400,
  client: shippedBulk,
  broken: brokenBulk,
  scenario: bulkScenario,
  run: runBulk,
  check: checkBulk,
  lines: linesOf,
  outcomes: ({ lives, report = [] }) => [
    ...lives.map(({ end }) => (typeof end === "string" ? end : end._tag)),
    ...report.map(({ outcome }) => outcome)
  ]
}
