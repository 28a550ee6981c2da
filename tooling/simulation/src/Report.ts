/**
 * The printed report of a simulation.
 */
import type { Finding } from "./Finding.ts"
import type { Family, Observed } from "./Family.ts"
import { faultNames } from "./FaultPlan.ts"
import { writeToken } from "./ReproductionToken.ts"
import type { SimulationResult } from "./Simulate.ts"

/** The parts of a family that a tally reads. */
type Counted<Observation extends Observed> = Pick<Family<unknown, Observation>, "name" | "outcomes">

/** Counts over all scenarios of a family: outcomes, responses and faults. */
export class Tally<Observation extends Observed> {
  readonly #family: Counted<Observation>
  readonly #outcomes = new Map<string, number>()
  readonly #requests = new Map<string, number>()
  readonly #fired = new Set<string>()
  #scenarios = 0

  constructor(family: Counted<Observation>) {
    this.#family = family
  }

  /** Counts a scenario. */
  add(observation: Observation): void {
    const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
    this.#scenarios += 1
    for (const name of observation.fired) this.#fired.add(name)
    for (const outcome of this.#family.outcomes(observation)) count(this.#outcomes, outcome)
    for (const { outcome } of observation.journal) {
      const kind =
        outcome._tag === "Response" || outcome._tag === "CutResponse"
          ? `${outcome._tag} ${outcome.status}`
          : outcome._tag
      count(this.#requests, "failure" in outcome ? `${kind} ${outcome.failure}` : kind)
    }
  }

  /** Names of the faults that never fired. */
  unseen(): ReadonlyArray<string> {
    return [...faultNames].filter((name) => !this.#fired.has(name))
  }

  /** The counts, one line each. */
  lines(): ReadonlyArray<string> {
    const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((one, other) => one + other, 0)
    const list = (counts: ReadonlyMap<string, number>) =>
      [...counts]
        .toSorted(([, one], [, other]) => other - one)
        .map(([name, count]) => `${name} ${count}`)
        .join(", ")
    return [
      `${this.#scenarios} scenarios`,
      `${sum(this.#outcomes)} ${this.#family.name} by outcome: ${list(this.#outcomes)}`,
      `${sum(this.#requests)} requests by response: ${list(this.#requests)}`,
      // The scenarios of some families have no faults.
      ...(this.#fired.size === 0 ? [] : [`${this.#fired.size} of ${faultNames.size} faults fired`])
    ]
  }
}

const lineOf = ({ call, message }: Finding): string => (call === undefined ? message : `call ${call} ${message}`)

/** The result of a simulation, line by line; the first line of a failure is the command that reproduces it. */
export const report = (family: string, result: SimulationResult): ReadonlyArray<string> => {
  switch (result._tag) {
    case "Passed":
      return ["no disagreement"]
    case "Exhausted":
      return ["the generator discarded too many scenarios"]
    case "BrokenTogether":
      return ["all scenarios together:", ...result.findings.map(lineOf)]
    case "ReplayMismatch":
      return ["the scenario of this token passes now"]
    case "Falsified": {
      const command = `pnpm simulate --reproduce ${writeToken({ family, replay: result.replay })}`
      const { failure } = result
      if (failure._tag === "ReturnedFalse") return [command]
      if (failure.error._tag === "ConnectionError") return [command, failure.error.message]
      const { findings, timeline } = failure.error
      return [command, ...findings.map(lineOf), "", ...timeline]
    }
  }
}
