/**
 * What is generated for a walk over the event listing: the events, those that arrive meanwhile, who walks, and what
 * goes wrong.
 */
import * as Arbitrary from "effect/Arbitrary"
import { between, betweenOrNothing, oneOf } from "../Choice.ts"
import { type FaultPlan, faultPlan } from "../FaultPlan.ts"

/** A walk, and the world that it goes through. */
export interface WalkScenario {
  /** Seed of the world, and of the delays that the client draws. */
  readonly seed: number
  readonly preset: "document" | "observed" | "adversarial" | "seeded"
  /** How far the clock of the service is ahead of the client's, in milliseconds. */
  readonly ahead: number
  /** How long before the start each event was made, in milliseconds. */
  readonly existing: ReadonlyArray<number>
  /** How long after the start each further event arrives, in milliseconds. */
  readonly arriving: ReadonlyArray<number>
  /** Records on a page. */
  readonly limit: number
  readonly prefetch: boolean
  /** How long the consumer is busy with a page, in milliseconds. */
  readonly pause: number
  readonly retry: "default" | "eager"
  readonly timeouts: "default" | "short"
  /** After how many pages the consumer has enough. */
  readonly enough: number | undefined
  /** When the consumer is interrupted, in milliseconds after the start. */
  readonly givesUpAfter: number | undefined
  readonly faults: ReadonlyArray<FaultPlan>
}

/** Drift may take the identifier or the whole of a record away; what is left then shows nothing about the walk. */
const fault = Arbitrary.filter(faultPlan, ({ kind }) => kind !== "drift")

/** Generates walks. */
export const walkScenario: Arbitrary.Arbitrary<WalkScenario> = Arbitrary.all({
  seed: between(1, 1_000_000),
  preset: oneOf(["document", "observed", "seeded", "adversarial"]),
  ahead: oneOf([0, 0, 0, 3_600_000, -3_600_000]),
  existing: Arbitrary.array(between(0, 3_000), { maxLength: 10 }),
  arriving: Arbitrary.array(between(0, 3_000), { maxLength: 8 }),
  limit: between(1, 4),
  prefetch: oneOf([false, true]),
  pause: oneOf([0, 0, 1, 300, 2_000]),
  retry: oneOf(["default", "default", "eager"]),
  timeouts: oneOf(["default", "default", "short"]),
  enough: betweenOrNothing(7, 1, 3),
  givesUpAfter: betweenOrNothing(8, 0, 8_000),
  faults: Arbitrary.array(fault, { maxLength: 5 })
})
