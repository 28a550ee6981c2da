/**
 * Scenarios of `markManyAs`.
 */
import { shipped } from "../ClientUnderTest.ts"
import type { Family } from "../Family.ts"
import { checkMarks } from "./MarkOracle.ts"
import { type MarkObservation, runMarks } from "./MarkRun.ts"
import { markScenario, type MarkScenario } from "./MarkScenario.ts"
import { markTimeline } from "./MarkTimeline.ts"

/** Scenarios of `markManyAs`. */
export const marks: Family<MarkScenario, MarkObservation> = {
  name: "marks",
  client: shipped,
  scenario: markScenario,
  run: runMarks,
  check: checkMarks,
  timeline: markTimeline,
  outcomes: ({ end }) => [end._tag === "Error" ? (end.error.errors[0]?.reason._tag ?? "no reason") : end._tag]
}
