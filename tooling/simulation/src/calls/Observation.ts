/**
 * The record of a scenario, from the callers and from the service.
 */
import type * as Cause from "effect/Cause"
import type { Attempt } from "@signalbox/core/Attempt"
import type { CallInfo } from "@signalbox/core/CallInfo"
import type { SignalboxError } from "@signalbox/core/SignalboxError"
import type { EnvironmentRecords, JournalEntry, Switches, Verdict } from "@signalbox/test-harness"
import type { Observed } from "../Family.ts"
import type { Leftovers } from "../Leftovers.ts"
import type { Recording } from "../Recorder.ts"
import type { PlannedCall, Scenario } from "./Scenario.ts"

/** The outcome of a call as its caller saw it. */
export type CallOutcome =
  | { readonly _tag: "Value"; readonly value: unknown; readonly info: CallInfo | undefined }
  | { readonly _tag: "Error"; readonly error: SignalboxError }
  /** The caller aborted, as planned or because the scenario was over. */
  | { readonly _tag: "Interrupted" }
  | { readonly _tag: "Defect"; readonly cause: Cause.Cause<unknown> }

/** The record of one call; times are milliseconds since 1970 on the virtual clock. */
export interface ObservedCall {
  /** 1 for the first call of the program. */
  readonly number: number
  readonly plan: PlannedCall
  readonly startedAt: number
  readonly endedAt: number
  readonly outcome: CallOutcome
  readonly recording: Recording
  /** The attempts that the observer of the call received. */
  readonly attempts: ReadonlyArray<Attempt>
  /** The requests of the call in the journal of the service, oldest first. */
  readonly requests: ReadonlyArray<JournalEntry>
  /** Copies of its requests that the network delivered. */
  readonly duplicates: ReadonlyArray<JournalEntry>
  /** Timers and exchanges that the call left behind. */
  readonly leftBehind: Leftovers
}

/** The record of a scenario. */
export interface Observation extends Observed {
  readonly scenario: Scenario
  readonly switches: Switches
  readonly apiKey: string
  readonly calls: ReadonlyArray<ObservedCall>
  /** The requests that were applied, in that order. */
  readonly committed: ReadonlyArray<JournalEntry>
  /** The verdicts of the fake's client check. */
  readonly verdicts: ReadonlyArray<Verdict>
  readonly state: EnvironmentRecords
}
