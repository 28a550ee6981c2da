/**
 * How consoles and failing assertions of Node show a fake and its environments: as a summary without the key.
 */
import type { Environment } from "./Environment.ts"
import { describe } from "./faults/Fault.ts"

// The symbol that `util.inspect` asks for; platforms without it do not look.
const custom = Symbol.for("nodejs.util.inspect.custom")

type Inspect = (value: unknown, options: unknown) => string

const summaryOf = ({ faults, journal, now, number, unmatchedRequests }: Environment) => ({
  number,
  time: new Date(now()),
  requests: journal.evicted() + journal.entries().length,
  unmatchedRequests: unmatchedRequests.count(),
  faults: faults.armed().map(({ fault }) => describe(fault))
})

/** Sets how a console shows an environment; returns the same object. */
export const withConsoleView = <Shown extends Environment>(name: string, shown: Shown): Shown =>
  Object.defineProperty(shown, custom, {
    value: (_depth: number, options: unknown, inspect: Inspect) => `${name} ${inspect(summaryOf(shown), options)}`
  })
