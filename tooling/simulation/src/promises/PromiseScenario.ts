/**
 * Generates scenarios for the Promise client: bulk work, single calls or a walk, and when the caller aborts or closes.
 */
import * as Arbitrary from "effect/Arbitrary"
import type { Point } from "@signalbox/test-harness"
import { between, betweenOrAbsent, oneOf } from "../Choice.ts"
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

/** How a consumer walks over pages, and the events that it should meet. */
export interface PageWalk {
  /** The age of each existing event at the start, in milliseconds. */
  readonly ages: ReadonlyArray<number>
  /** How long after the start each further event arrives, in milliseconds. */
  readonly arriving: ReadonlyArray<number>
  /** Records on a page. */
  readonly limit: number
  readonly prefetch: boolean
  /** Number of pages after which another client, like another process, resumes the walk from the cursor. */
  readonly resumesAfter: number | undefined
  /** Number of pages after which the consumer stops. */
  readonly stopsAfter: number | undefined
}

/** Work of a program, and the service that it calls. */
export interface PromiseScenario {
  /** Seed of the service and of the client's retry delays. */
  readonly seed: number
  readonly preset: "document" | "observed" | "adversarial" | "seeded"
  /** How far the service's clock is ahead of the client's, in milliseconds. */
  readonly ahead: number
  readonly work: "calls" | "upsertMany" | "markManyAs" | "walk" | "pages" | "lists"
  /** Inputs, messages or events. */
  readonly count: number
  readonly concurrency: number | undefined
  readonly order: "input" | "completion"
  /** Whether upserts have device tokens, which append. */
  readonly hasTokens: boolean
  /** Whether the service honours keys, which the client then declares. */
  readonly honoursKeys: boolean
  readonly key: "random" | "derived" | "off"
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
  /** Only for the work `pages`. */
  readonly pages: PageWalk
  readonly faults: ReadonlyArray<FaultPlan>
}

const pageWalk: Arbitrary.Arbitrary<PageWalk> = Arbitrary.all({
  ages: Arbitrary.array(between(0, 3_000), { maxLength: 10 }),
  arriving: Arbitrary.array(between(0, 3_000), { maxLength: 8 }),
  limit: between(1, 4),
  prefetch: oneOf([false, true]),
  resumesAfter: betweenOrAbsent(6, 1, 3),
  stopsAfter: betweenOrAbsent(7, 1, 3)
})

/** Generates scenarios. */
export const promiseScenario: Arbitrary.Arbitrary<PromiseScenario> = Arbitrary.all({
  seed: between(1, 1_000_000),
  preset: oneOf(["document", "observed", "seeded", "adversarial"]),
  ahead: oneOf([0]),
  work: oneOf(["calls", "upsertMany", "upsertMany", "markManyAs", "walk"]),
  count: oneOf([1, 2, 5, 9, 0]),
  concurrency: oneOf([1, 2, 4, 9]),
  order: oneOf(["input", "completion"]),
  hasTokens: oneOf([false, true]),
  honoursKeys: oneOf([false, true]),
  key: oneOf(["random"]),
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
  pages: oneOf([{ ages: [], arriving: [], limit: 1, prefetch: false, resumesAfter: undefined, stopsAfter: undefined }]),
  faults: Arbitrary.array(faultPlan, { maxLength: 5 })
})

/** Generates programs that mark many messages, with one call for each 100. */
export const markScenario: Arbitrary.Arbitrary<PromiseScenario> = Arbitrary.map(
  Arbitrary.all([
    promiseScenario,
    Arbitrary.all({
      count: oneOf([1, 0, 101, 401, 201, 100]),
      concurrency: oneOf([undefined, 1, 2, 9]),
      key: oneOf(["random", "random", "derived", "off"])
    })
  ]),
  ([base, marks]) => ({ ...base, ...marks, work: "markManyAs" })
)

/** Generates walks over pages while events arrive. */
export const walkScenario: Arbitrary.Arbitrary<PromiseScenario> = Arbitrary.map(
  Arbitrary.all([
    promiseScenario,
    Arbitrary.all({
      ahead: oneOf([0, 0, 0, 3_600_000, -3_600_000]),
      pause: oneOf([0, 0, 1, 300, 2_000]),
      pages: pageWalk
    })
  ]),
  ([base, walk]) => ({
    ...base,
    ...walk,
    work: "pages",
    concurrency: 1,
    // Drift may remove a record or its id, which the rules of a walk need.
    faults: base.faults.filter(({ kind }) => kind !== "drift")
  })
)

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
