/**
 * What is generated for marking many messages at once, which takes one call for each hundred of them.
 */
import * as Arbitrary from "effect/Arbitrary"
import { between, betweenOrNothing, oneOf } from "../Choice.ts"
import { type FaultPlan, faultPlan } from "../FaultPlan.ts"

/** Many messages to mark, and the world that they are in. */
export interface MarkScenario {
  /** Seed of the world, and of the delays that the client draws. */
  readonly seed: number
  readonly preset: "document" | "observed" | "adversarial" | "seeded"
  readonly count: number
  readonly concurrency: number | undefined
  /** Not `derived`: the platform makes those keys in real time, for which virtual time does not wait. */
  readonly key: "random" | "fixed" | "off"
  readonly retry: "default" | "none"
  readonly timeouts: "default" | "short"
  /** When the caller gives up, in milliseconds after the start. */
  readonly givesUpAfter: number | undefined
  readonly faults: ReadonlyArray<FaultPlan>
}

/** Generates work on many messages. */
export const markScenario: Arbitrary.Arbitrary<MarkScenario> = Arbitrary.all({
  seed: between(1, 1_000_000),
  preset: oneOf(["document", "observed", "seeded", "adversarial"]),
  count: oneOf([1, 0, 101, 401, 201, 100]),
  concurrency: oneOf([undefined, 1, 2, 9]),
  key: oneOf(["random", "random", "fixed", "off"]),
  retry: oneOf(["default", "default", "none"]),
  timeouts: oneOf(["default", "default", "short"]),
  givesUpAfter: betweenOrNothing(7, 0, 8_000),
  faults: Arbitrary.array(faultPlan, { maxLength: 6 })
})
