/**
 * The complaint about requests that name what belongs to another environment.
 */
import type { Environment } from "../Environment.ts"
import { refuseEvicted } from "./JournalEvicted.ts"
import type { Complaint } from "./UnmetExpectation.ts"

/** Complains about shared data; owners are named by the number of their environment. */
export const leakComplaint = (
  { journal }: Pick<Environment, "journal">,
  nameOf: (environment: number) => string = (environment) => `environment ${environment}`
): Complaint | undefined => {
  refuseEvicted(journal)
  const shownBy = journal.entries().filter(({ leaks }) => leaks.length > 0)
  if (shownBy.length === 0) return undefined
  const words = shownBy.flatMap(({ leaks, number }) =>
    leaks.map(
      ({ environment, id, kind }) =>
        `request ${number} names ${kind} ${id}, which belongs to ${nameOf(environment)}: two tests share data`
    )
  )
  return { words: words.join("\n"), shownBy }
}
