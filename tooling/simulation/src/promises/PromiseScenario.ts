/**
 * What is generated for the Promise client: bulk work, single calls or a walk, and when the caller aborts or closes.
 */
import * as Arbitrary from "effect/Arbitrary"
import type { Point } from "@signalbox/test-harness"
import { between, oneOf } from "../Choice.ts"
import { type FaultPlan, faultPlan } from "../FaultPlan.ts"

/** Work of a program, and the service that it calls. */
export interface PromiseScenario {
  /** Seed of the service and of the client's retry delays. */
  readonly seed: number
  readonly preset: "document" | "observed" | "adversarial" | "seeded"
  readonly work: "calls" | "upsertMany" | "markManyAs" | "walk"
  /** Inputs, messages or events. */
  readonly count: number
  readonly concurrency: number
  readonly order: "input" | "completion"
  /** Whether upserts have device tokens, which append. */
  readonly hasTokens: boolean
  /** Whether the service honours keys, which the client then declares. */
  readonly honoursKeys: boolean
  readonly retry: "default" | "none"
  readonly timeouts: "default" | "short"
  /** How long the consumer works on each outcome, in milliseconds. */
  readonly pause: number
  /** What the caller does before the work is done. */
  readonly stop: "none" | "abort" | "close"
  /** The request that triggers the stop; 0 for a stop at a time. */
  readonly stopsOnRequest: number
  /** The point of that request. */
  readonly stopsAtPoint: Point
  /** The time of a stop that no request triggers, in milliseconds after the start. */
  readonly stopsAt: number
  readonly faults: ReadonlyArray<FaultPlan>
}

/** Generates scenarios. */
export const promiseScenario: Arbitrary.Arbitrary<PromiseScenario> = Arbitrary.all({
  seed: between(1, 1_000_000),
  preset: oneOf(["document", "observed", "seeded", "adversarial"]),
  work: oneOf(["calls", "upsertMany", "upsertMany", "markManyAs", "walk"]),
  count: oneOf([1, 2, 5, 9, 0]),
  concurrency: oneOf([1, 2, 4, 9]),
  order: oneOf(["input", "completion"]),
  hasTokens: oneOf([false, true]),
  honoursKeys: oneOf([false, true]),
  retry: oneOf(["default", "default", "none"]),
  timeouts: oneOf(["default", "short"]),
  pause: oneOf([0, 0, 1, 300]),
  stop: oneOf(["none", "abort", "close"]),
  stopsOnRequest: oneOf([0, 0, 1, 1, 2, 3, 6]),
  stopsAtPoint: oneOf(["received", "validated", "committed", "answering", "answered"]),
  stopsAt: between(0, 8_000),
  faults: Arbitrary.array(faultPlan, { maxLength: 5 })
})
