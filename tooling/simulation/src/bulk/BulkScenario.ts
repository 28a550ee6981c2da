/**
 * Generates bulk runs: the input, the service, and when the processes that work on it are killed.
 */
import * as Arbitrary from "effect/Arbitrary"
import { between, oneOf } from "../Choice.ts"
import { type FaultPlan, faultPlan } from "../FaultPlan.ts"

/** The unexpected end of a process. */
export interface Kill {
  /** The operation during which the process is killed: it changes a file, sends a request, or receives a response. */
  readonly on: "write" | "request" | "response"
  /** Which one of them, counted from 1. */
  readonly number: number
  /** Whether it is killed before that write, in the middle of it, or after it. */
  readonly phase: "before" | "during" | "after"
  /** Whether the power fails, so that only what was synchronized is left. */
  readonly losesPower: boolean
  /** Percentage of the other bytes that is left nevertheless. */
  readonly keptPercent: number
}

/** A trouble of the machine of a worker. */
export interface Trouble {
  /** The worker, from 0. */
  readonly worker: number
  /** After how many requests and uses of the storage it starts. */
  readonly after: number
  /**
   * The connection to the storage breaks during an operation, or for some time; the machine is suspended; its wall clock is
   * set; the process is killed.
   */
  readonly what: "lost" | "offline" | "suspended" | "clock" | "killed"
  /** How long it takes; a clock is set by as many minutes. */
  readonly seconds: number
  /** Whether the operation is done nevertheless; a clock is set forward. */
  readonly isAfter: boolean
}

/** A mistake of the operator who starts a process: the key of another environment, an unknown key, or a changed input. */
export type Mistake = "none" | "environment" | "key" | "input"

/** A run, the service that it uses, and the ends of its processes. */
export interface BulkScenario {
  /** Seed of the service and of the client's retry delays. */
  readonly seed: number
  readonly preset: "document" | "observed" | "adversarial" | "seeded"
  /** A run with a journal on one machine, or workers that share a storage. */
  readonly engine: "journal" | "workers"
  readonly work: "tokens" | "webhooks" | "marks"
  readonly lines: number
  /** The line that is invalid; 0 for none. */
  readonly invalidLine: number
  /** How many lines in a row have the same subscriber. */
  readonly linesOfSubscriber: number
  readonly concurrency: number
  /** How long the service takes for a request, in milliseconds. */
  readonly latencyMs: number
  /** Whether the service honours keys. */
  readonly honoursKeys: boolean
  /** Whether the caller declares it; applied only where that is true. */
  readonly declaresKeys: boolean
  readonly atLeastOnce: boolean
  readonly retriesFailed: boolean
  readonly kills: ReadonlyArray<Kill>
  /** Troubles of workers. */
  readonly troubles: ReadonlyArray<Trouble>
  readonly faults: ReadonlyArray<FaultPlan>
  /** The mistakes with the processes after the first, in their order, or with the workers. */
  readonly mistakes: ReadonlyArray<Mistake>
  /** Whether a key shows its environment before a line is sent. */
  readonly hasEvents: boolean
}

const kill: Arbitrary.Arbitrary<Kill> = Arbitrary.all({
  on: oneOf(["write", "write", "request", "response"]),
  number: between(1, 14),
  phase: oneOf(["before", "during", "after"]),
  losesPower: oneOf([false, true]),
  keptPercent: oneOf([0, 50, 99])
})

const trouble: Arbitrary.Arbitrary<Trouble> = Arbitrary.all({
  worker: between(0, 1),
  after: between(1, 20),
  what: oneOf(["lost", "offline", "suspended", "clock", "killed", "killed"]),
  seconds: oneOf([2, 30, 50, 120]),
  isAfter: oneOf([false, true])
})

/** Faults that end, and without the longest wait: a run waits for a rate limit as long as the service requests. */
const fault: Arbitrary.Arbitrary<FaultPlan> = Arbitrary.map(faultPlan, (plan) => ({
  ...plan,
  times: plan.times === "always" ? 5 : plan.times,
  amount: Math.min(plan.amount, 29)
}))

/** Generates bulk runs. */
export const bulkScenario: Arbitrary.Arbitrary<BulkScenario> = Arbitrary.all({
  seed: between(1, 1_000_000),
  preset: oneOf(["document", "observed", "seeded", "adversarial"]),
  engine: oneOf(["journal", "workers"]),
  work: oneOf(["tokens", "tokens", "webhooks", "marks"]),
  lines: between(1, 12),
  invalidLine: oneOf([0, 0, 0, 2]),
  concurrency: oneOf([1, 2, 4]),
  latencyMs: oneOf([0, 7]),
  honoursKeys: oneOf([false, true]),
  declaresKeys: oneOf([false, true]),
  atLeastOnce: oneOf([false, false, true]),
  retriesFailed: oneOf([false, true]),
  kills: Arbitrary.array(kill, { maxLength: 3 }),
  faults: Arbitrary.array(fault, { maxLength: 3 }),
  linesOfSubscriber: oneOf([1, 1, 3]),
  troubles: Arbitrary.array(trouble, { maxLength: 4 }),
  mistakes: Arbitrary.array(oneOf<Mistake>(["none", "none", "environment", "key", "input"]), { maxLength: 4 }),
  hasEvents: oneOf([false, true])
})
