/**
 * A kind of scenario: how it is generated, run, judged and shown.
 */
import type * as Arbitrary from "effect/Arbitrary"
import type * as Effect from "effect/Effect"
import type { ConnectionError } from "@signalbox/core/Connection"
import type { JournalEntry } from "@signalbox/test-harness"
import type { ClientUnderTest } from "./ClientUnderTest.ts"
import type { Complaint } from "./Complaint.ts"

/** What every observation has. */
export interface Observed {
  readonly journal: ReadonlyArray<JournalEntry>
  /** The faults that have happened, by name. */
  readonly fired: ReadonlyArray<string>
}

/** A kind of scenario. */
export interface Family<Scenario, Observation extends Observed> {
  readonly name: string
  /** The client as it ships. */
  readonly client: ClientUnderTest
  readonly scenario: Arbitrary.Arbitrary<Scenario>
  /** Runs a scenario on virtual time, and writes down what was seen. */
  readonly run: (scenario: Scenario, client: ClientUnderTest) => Effect.Effect<Observation, ConnectionError>
  /** All complaints; none when everything agrees. */
  readonly judge: (observation: Observation) => ReadonlyArray<Complaint>
  /** What happened, in lines; the same for every run of the scenario. */
  readonly timeline: (observation: Observation) => ReadonlyArray<string>
  /** How what the callers asked for ended, one word each. */
  readonly endings: (observation: Observation) => ReadonlyArray<string>
}
