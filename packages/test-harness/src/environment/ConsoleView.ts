/**
 * How consoles and failing assertions of Node show a fake and its environments: as a summary without the key.
 */
import { describe } from "../faults/Fault.ts"
import type { Faults } from "../faults/Faults.ts"
import { type Journal, requestsIn } from "../journal/Journal.ts"
import type { UnmatchedRequests } from "../journal/UnmatchedRequests.ts"

// The symbol that `util.inspect` asks for; platforms without it do not look.
const custom = Symbol.for("nodejs.util.inspect.custom")

type Inspect = (value: unknown, options: unknown) => string

/** The parts of an environment that its summary shows. */
interface Summarized {
  readonly faults: Faults
  readonly journal: Journal
  readonly now: () => number
  readonly number: number
  readonly unmatchedRequests: UnmatchedRequests
}

const summaryOf = ({ faults, journal, now, number, unmatchedRequests }: Summarized) => ({
  number,
  time: new Date(now()),
  requests: requestsIn(journal),
  unmatchedRequests: unmatchedRequests.count(),
  faults: faults.armed().map(({ fault }) => describe(fault))
})

/** Sets how a console shows an environment; returns the same object. */
export const withConsoleView = <Shown extends Summarized>(name: string, shown: Shown): Shown =>
  Object.defineProperty(shown, custom, {
    value: (_depth: number, options: unknown, inspect: Inspect) => `${name} ${inspect(summaryOf(shown), options)}`
  })
