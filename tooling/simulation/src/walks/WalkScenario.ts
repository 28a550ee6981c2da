/**
 * Generates walks over the event listing: existing and new events, the consumer, and the faults.
 */
import * as Arbitrary from "effect/Arbitrary"
import { between, betweenOrAbsent, oneOf } from "../Choice.ts"
import { type FaultPlan, faultPlan } from "../FaultPlan.ts"

/** A walk and the service that it calls. */
export interface WalkScenario {
  /** Seed of the service and of the client's retry delays. */
  readonly seed: number
  readonly preset: "document" | "observed" | "adversarial" | "seeded"
  /** How far the service's clock is ahead of the client's, in milliseconds. */
  readonly ahead: number
  /** The age of each existing event at the start, in milliseconds. */
  readonly existing: ReadonlyArray<number>
  /** How long after the start each further event arrives, in milliseconds. */
  readonly arriving: ReadonlyArray<number>
  /** Records on a page. */
  readonly limit: number
  readonly prefetch: boolean
  /** How long the consumer works on a page, in milliseconds. */
  readonly pause: number
  readonly retry: "default" | "eager"
  readonly timeouts: "default" | "short"
  /** Number of pages after which another client, like another process, resumes the walk from the cursor. */
  readonly resumesAfter: number | undefined
  /** Number of pages after which the consumer stops. */
  readonly stopsAfter: number | undefined
  /** When the consumer is interrupted, in milliseconds after the start. */
  readonly abortsAfter: number | undefined
  readonly faults: ReadonlyArray<FaultPlan>
}

/** Without drift faults: they may remove a record or its identifier, which the walk's rules need. */
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
  resumesAfter: betweenOrAbsent(6, 1, 3),
  stopsAfter: betweenOrAbsent(7, 1, 3),
  abortsAfter: betweenOrAbsent(8, 0, 8_000),
  faults: Arbitrary.array(fault, { maxLength: 5 })
})
