/**
 * Generates scenarios for `markManyAs`, which makes one call for each 100 messages.
 */
import * as Arbitrary from "effect/Arbitrary"
import { between, betweenOrAbsent, oneOf } from "../Choice.ts"
import { type FaultPlan, faultPlan } from "../FaultPlan.ts"

/** Many messages to mark, and the service that has them. */
export interface MarkScenario {
  /** Seed of the service and of the client's retry delays. */
  readonly seed: number
  readonly preset: "document" | "observed" | "adversarial" | "seeded"
  readonly count: number
  readonly concurrency: number | undefined
  /** Not `derived`: the platform computes those keys in real time, which virtual time does not wait for. */
  readonly key: "random" | "fixed" | "off"
  readonly retry: "default" | "none"
  readonly timeouts: "default" | "short"
  /** When the caller aborts, in milliseconds after the start. */
  readonly abortsAfter: number | undefined
  readonly faults: ReadonlyArray<FaultPlan>
}

/** Generates scenarios. */
export const markScenario: Arbitrary.Arbitrary<MarkScenario> = Arbitrary.all({
  seed: between(1, 1_000_000),
  preset: oneOf(["document", "observed", "seeded", "adversarial"]),
  count: oneOf([1, 0, 101, 401, 201, 100]),
  concurrency: oneOf([undefined, 1, 2, 9]),
  key: oneOf(["random", "random", "fixed", "off"]),
  retry: oneOf(["default", "default", "none"]),
  timeouts: oneOf(["default", "default", "short"]),
  abortsAfter: betweenOrAbsent(7, 0, 8_000),
  faults: Arbitrary.array(faultPlan, { maxLength: 6 })
})
