/**
 * The record of a scenario, from the callers and from the service.
 */
import type { Attempt } from "@signalbox/core/Errors"
import type { CallOutcome } from "../CallReport.ts"
import type { EnvironmentRecords, JournalEntry, Switches } from "@signalbox/test-harness"
import type { Observed } from "../Family.ts"
import type { Recording } from "../Recorder.ts"
import type { PlannedCall, Scenario } from "./Scenario.ts"

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
}

/** The record of a scenario. */
export interface Observation extends Observed {
  readonly scenario: Scenario
  readonly switches: Switches
  readonly apiKey: string
  readonly calls: ReadonlyArray<ObservedCall>
  /** Requests without the key of the service. */
  readonly unmatchedRequests: number
  readonly state: EnvironmentRecords
}
