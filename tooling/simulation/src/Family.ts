/**
 * A family of scenarios: how they are generated, run, checked and printed.
 */
import type * as Arbitrary from "effect/Arbitrary"
import type * as Effect from "effect/Effect"
import type { ConnectionError } from "@signalbox/core/Connection"
import type { JournalEntry } from "@signalbox/test-harness"
import type { ClientUnderTest } from "./ClientUnderTest.ts"
import type { FaultPlan } from "./FaultPlan.ts"
import type { Finding } from "./Finding.ts"

/** The common part of all observations. */
export interface Observed {
  readonly scenario: { readonly faults: ReadonlyArray<FaultPlan> }
  readonly journal: ReadonlyArray<JournalEntry>
  /** Names of the faults that fired. */
  readonly fired: ReadonlyArray<string>
}

/** Something that happened, in milliseconds since 1970. */
export interface Line {
  readonly at: number
  readonly text: string
}

/** A check of all scenarios together. */
export interface Overall<Observation> {
  /** Adds the observation of a scenario. */
  readonly add: (observation: Observation) => void
  /** Every rule that the scenarios so far broke together. */
  readonly findings: () => ReadonlyArray<Finding>
}

/** A client that is broken on purpose. */
export interface BrokenClient<Client = ClientUnderTest> {
  readonly client: Client
  /** The finding that catches it. */
  readonly finding: RegExp
}

/** A broken client, and the finding that catches it. */
export const caughtBy = <Client>(finding: RegExp, client: Client): BrokenClient<Client> => ({ client, finding })

/** A family of scenarios. */
export interface Family<Scenario, Observation extends Observed, Client = ClientUnderTest> {
  readonly name: string
  /** Scenarios of a seed in `npm run verify`. */
  readonly runs: number
  /** The client that ships. */
  readonly client: Client
  /** Clients that are broken on purpose, by their defect; the scenarios of `npm run verify` catch every one. */
  readonly broken: Readonly<Record<string, BrokenClient<Client>>>
  readonly scenario: Arbitrary.Arbitrary<Scenario>
  /** Runs a scenario on virtual time and records what happened. */
  readonly run: (scenario: Scenario, client: Client) => Effect.Effect<Observation, ConnectionError>
  /** Every rule that the scenario broke; empty when client and service agree. */
  readonly check: (observation: Observation) => ReadonlyArray<Finding>
  /** Makes the check of all scenarios of a run together. */
  readonly checkAll?: () => Overall<Observation>
  /** The events of a scenario; identical for every run of it. */
  readonly lines: (observation: Observation) => ReadonlyArray<Line>
  /** One word for the outcome of each call. */
  readonly outcomes: (observation: Observation) => ReadonlyArray<string>
}
