/**
 * What a simulation says at its end.
 */
import type { Complaint } from "./Complaint.ts"
import type { Family, Observed } from "./Family.ts"
import { faultNames } from "./FaultPlan.ts"
import { tokenOf } from "./RepeatToken.ts"
import type { SimulationResult } from "./Simulate.ts"

/** What is counted of a family. */
type Counted<Observation extends Observed> = Pick<Family<unknown, Observation>, "name" | "endings">

/** What happened in all scenarios of a family together: how much of the world they have seen. */
export class Tally<Observation extends Observed> {
  readonly #family: Counted<Observation>
  readonly #endings = new Map<string, number>()
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
    for (const ending of this.#family.endings(observation)) count(this.#endings, ending)
    for (const { told } of observation.journal) {
      const kind = told._tag === "Answer" || told._tag === "CutAnswer" ? `${told._tag} ${told.status}` : told._tag
      count(this.#requests, "ending" in told ? `${kind} ${told.ending}` : kind)
    }
  }

  /** The faults that never happened, by name. */
  unseen(): ReadonlyArray<string> {
    return [...faultNames].filter((name) => !this.#fired.has(name))
  }

  /** The counts, one line for each kind of thing. */
  lines(): ReadonlyArray<string> {
    const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((one, other) => one + other, 0)
    const list = (counts: ReadonlyMap<string, number>) =>
      [...counts]
        .toSorted(([, one], [, other]) => other - one)
        .map(([name, count]) => `${name} ${count}`)
        .join(", ")
    return [
      `${this.#scenarios} scenarios`,
      `${sum(this.#endings)} ${this.#family.name} ended in: ${list(this.#endings)}`,
      `${sum(this.#requests)} requests ended in: ${list(this.#requests)}`,
      `${this.#fired.size} of ${faultNames.size} faults happened`
    ]
  }
}

const complained = ({ call, what }: Complaint): string => (call === undefined ? what : `call ${call} ${what}`)

/** The end of a simulation in lines; the first line of a failure repeats it. */
export const report = (family: string, result: SimulationResult): ReadonlyArray<string> => {
  switch (result._tag) {
    case "Passed":
      return ["no disagreement"]
    case "Exhausted":
      return ["too many scenarios were discarded before they were run"]
    case "ReplayMismatch":
      return ["the scenario of this token does not fail any more"]
    case "Falsified": {
      const again = `pnpm simulate --repeat ${tokenOf({ family, replay: result.replay })}`
      const { failure } = result
      if (failure._tag === "ReturnedFalse") return [again]
      if (failure.error._tag === "ConnectionError") return [again, failure.error.message]
      const { complaints, timeline } = failure.error
      return [again, ...complaints.map(complained), "", ...timeline]
    }
  }
}
