/**
 * What a simulation says at its end.
 */
import type { Observation } from "./Observation.ts"
import type { Complaint } from "./oracle/Complaint.ts"
import { tokenOf } from "./RepeatToken.ts"
import type { SimulationResult } from "./Simulate.ts"
import { timeline } from "./Timeline.ts"

/** What happened in all scenarios together: how much of the world they have seen. */
export class Tally {
  readonly #told = new Map<string, number>()
  readonly #requests = new Map<string, number>()
  #scenarios = 0

  /** Counts a scenario. */
  add({ calls, journal }: Observation): void {
    const count = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
    this.#scenarios += 1
    for (const { told } of calls) count(this.#told, told._tag === "Error" ? told.error.reason._tag : told._tag)
    for (const { told } of journal) {
      const kind = told._tag === "Answer" || told._tag === "CutAnswer" ? `${told._tag} ${told.status}` : told._tag
      count(this.#requests, "ending" in told ? `${kind} ${told.ending}` : kind)
    }
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
      `${sum(this.#told)} calls ended in: ${list(this.#told)}`,
      `${sum(this.#requests)} requests ended in: ${list(this.#requests)}`
    ]
  }
}

const complained = ({ call, what }: Complaint): string => (call === undefined ? what : `call ${call} ${what}`)

/** The end of a simulation in lines; the first line of a failure repeats it. */
export const report = (result: SimulationResult): ReadonlyArray<string> => {
  switch (result._tag) {
    case "Passed":
      return ["no disagreement"]
    case "Exhausted":
      return ["too many scenarios were discarded before they were run"]
    case "ReplayMismatch":
      return ["the scenario of this token does not fail any more"]
    case "Falsified": {
      const again = `pnpm simulate --repeat ${tokenOf(result.replay)}`
      const { failure } = result
      if (failure._tag === "ReturnedFalse") return [again]
      if (failure.error._tag === "ConnectionError") return [again, failure.error.message]
      const { complaints, observation } = failure.error
      return [again, ...complaints.map(complained), "", ...timeline(observation)]
    }
  }
}
