import type { Environment } from "../environment/Environment.ts"
import type { Leak } from "../journal/JournalEntry.ts"
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
  const numbers = new Map<string, { readonly leak: Leak; readonly requests: Array<number> }>()
  for (const { leaks, number } of requests) {
    for (const leak of leaks) {
      const key = `${leak.kind} ${leak.environment} ${leak.id}`
      const known = numbers.get(key)
      if (known === undefined) numbers.set(key, { leak, requests: [number] })
      else known.requests.push(number)
    }
  }
  const lines = [...numbers.values()].map(({ leak: { environment, id, kind }, requests: [first, ...others] }) => {
    const more = others.length === 0 ? "" : ` (and ${others.length} more)`
    return `request ${first}${more} names ${kind} ${id}, which belongs to ${nameOf(environment)}`
  })
  return {
    message: `${lines.join("\n")}\nTwo tests share data, or this one did not add it. Use different ids, or allow this one: { sharedIds: [${[...new Set([...numbers.values()].map(({ leak }) => JSON.stringify(leak.id)))].join(", ")}] }`,
    requests
  }
}
