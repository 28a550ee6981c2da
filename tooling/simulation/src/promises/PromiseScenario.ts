/**
 * Generates scenarios for the Promise client: bulk work, single calls or a walk, and when the caller aborts or closes.
 */
import * as Arbitrary from "effect/Arbitrary"
import type { Point } from "@signalbox/test-harness"
import { between, oneOf } from "../Choice.ts"
import { type FaultPlan, faultPlan } from "../FaultPlan.ts"

/** The change of an API key, by requests, counted from 1. */
export interface KeyRotation {
  /** The first request for which the service no longer accepts the first key. */
  readonly revokedFrom: number
  /** The request from which on the caller's key function returns the second key; 0 for never. */
  readonly rotatesFrom: number
}

/** A crash of the service that loses state. */
export interface StateLoss {
  /** The request that the service crashes on, counted from 1, and the point of it. */
  readonly request: number
  readonly point: Point
  /**
   * The service restarts empty, from a backup that has only subscribers, or from one of the start. Either way it forgets
   * all idempotency keys.
   */
  readonly restartsFrom: "nothing" | "subscribers" | "start"
}

/** Work of a program, and the service that it calls. */
export interface PromiseScenario {
  /** Seed of the service and of the client's retry delays. */
  readonly seed: number
  readonly preset: "document" | "observed" | "adversarial" | "seeded"
  readonly work: "calls" | "upsertMany" | "markManyAs" | "walk" | "lists"
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
  /** The caller's action before the work is done. */
  readonly stop: "none" | "abort" | "close"
  /** The request that triggers the stop; 0 for a stop at a time. */
  readonly stopsOnRequest: number
  /** The point of that request. */
  readonly stopsAtPoint: Point
  /** The time of a stop that no request triggers, in milliseconds after the start. */
  readonly stopsAt: number
  /** How the client gets its API key. */
  readonly apiKey: "string" | "function" | "async function"
  readonly rotation: KeyRotation | undefined
  readonly loss: StateLoss | undefined
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
  apiKey: oneOf(["string", "function", "async function"]),
  rotation: oneOf([undefined]),
  loss: oneOf([undefined]),
  faults: Arbitrary.array(faultPlan, { maxLength: 5 })
})

/** Messages that one request marks. */
const oneRequest = 100

/** Work of several requests that the caller does not stop. */
const sequences: Arbitrary.Arbitrary<PromiseScenario> = Arbitrary.map(
  Arbitrary.all([promiseScenario, oneOf(["calls", "upsertMany", "markManyAs", "walk", "lists"])]),
  ([base, work]) => ({
    ...base,
    work,
    count: work === "markManyAs" ? oneRequest + base.count * 20 : Math.max(base.count, 2),
    stop: "none",
    faults: base.faults.slice(0, 2)
  })
)

/** Generates programs whose API key changes while their requests are in flight. */
export const rotationScenario: Arbitrary.Arbitrary<PromiseScenario> = Arbitrary.map(
  Arbitrary.all([sequences, between(1, 6), between(0, 6)]),
  ([base, revokedFrom, rotatesFrom]) => ({
    ...base,
    apiKey: base.apiKey === "string" ? "function" : base.apiKey,
    rotation: { revokedFrom, rotatesFrom }
  })
)

/** Generates programs whose service loses its state while their requests are in flight. */
export const lossScenario: Arbitrary.Arbitrary<PromiseScenario> = Arbitrary.map(
  Arbitrary.all([
    sequences,
    Arbitrary.all({
      request: oneOf([1, 2, 1, 2, 3, 4, 6, 8]),
      point: oneOf(["committed", "received", "validated", "committed", "answering", "answered"]),
      restartsFrom: oneOf(["nothing", "subscribers", "start"])
    })
  ]),
  ([base, loss]) => ({ ...base, loss })
)
