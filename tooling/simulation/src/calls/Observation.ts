/**
 * What was seen of a scenario, from all sides.
 */
import type * as Cause from "effect/Cause"
import type { Attempt } from "@signalbox/core/Attempt"
import type { CallInfo } from "@signalbox/core/CallInfo"
import type { SignalboxError } from "@signalbox/core/SignalboxError"
import type { EnvironmentState, JournalEntry, Switches, Verdict } from "@signalbox/test-harness"
import type { Observed } from "../Family.ts"
import type { PlannedCall, Scenario } from "./Scenario.ts"

/** What a caller was told. */
export type Told =
  | { readonly _tag: "Value"; readonly value: unknown; readonly info: CallInfo | undefined }
  | { readonly _tag: "Error"; readonly error: SignalboxError }
  /** The caller gave up, as planned or because the scenario was over. */
  | { readonly _tag: "Interrupted" }
  | { readonly _tag: "Defect"; readonly cause: Cause.Cause<unknown> }

/** What was seen of one call; times are milliseconds since 1970 of the virtual clock. */
export interface ObservedCall {
  /** 1 for the first call of the program. */
  readonly number: number
  readonly plan: PlannedCall
  readonly beganAt: number
  readonly endedAt: number
  readonly told: Told
  /** The attempts as they were reported while the call ran. */
  readonly attempts: ReadonlyArray<Attempt>
  /** The requests of the call as the service saw them, oldest first. */
  readonly requests: ReadonlyArray<JournalEntry>
  /** Timers and exchanges that the call left behind. */
  readonly leftBehind: { readonly timers: number; readonly exchanges: number }
}

/** What was seen of a scenario. */
export interface Observation extends Observed {
  readonly scenario: Scenario
  readonly switches: Switches
  readonly calls: ReadonlyArray<ObservedCall>
  /** The requests that changed something, in the order in which they did. */
  readonly committed: ReadonlyArray<JournalEntry>
  /** What the service's own journal makes of it. */
  readonly verdicts: ReadonlyArray<Verdict>
  readonly state: EnvironmentState
}
