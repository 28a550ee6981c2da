/**
 * Scenarios of walks over the event listing.
 */
import { shipped } from "../ClientUnderTest.ts"
import type { Family } from "../Family.ts"
import { checkWalk } from "./WalkOracle.ts"
import { runWalk, type WalkObservation } from "./WalkRun.ts"
import { walkScenario, type WalkScenario } from "./WalkScenario.ts"
import { walkTimeline } from "./WalkTimeline.ts"

/** Scenarios of walks over the event listing. */
export const walks: Family<WalkScenario, WalkObservation> = {
  name: "walks",
  client: shipped,
  scenario: walkScenario,
  run: runWalk,
  check: checkWalk,
  timeline: walkTimeline,
  outcomes: ({ end, isComplete }) => [
    end._tag === "Error" ? end.error.reason._tag : isComplete ? "Completed" : end._tag
  ]
}
