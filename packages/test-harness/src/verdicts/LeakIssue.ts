/**
 * Requests that name ids of another environment.
 */
import type { Environment } from "../Environment.ts"
import { checkNotEvicted } from "./JournalEvicted.ts"
import type { ExpectationIssue } from "./UnmetExpectation.ts"

/** Reports shared ids; owners are named by the number of their environment. */
export const leakIssue = (
  { journal }: Pick<Environment, "journal">,
  nameOf: (environment: number) => string = (environment) => `environment ${environment}`
): ExpectationIssue | undefined => {
  checkNotEvicted(journal)
  const requests = journal.entries().filter(({ leaks }) => leaks.length > 0)
  if (requests.length === 0) return undefined
  const lines = requests.flatMap(({ leaks, number }) =>
    leaks.map(
      ({ environment, id, kind }) =>
        `request ${number} names ${kind} ${id}, which belongs to ${nameOf(environment)}: two tests share data`
    )
  )
  return { message: lines.join("\n"), requests }
}
