import type { JournalEntry } from "../../journal/JournalEntry.ts"
import { describeCall } from "../CheckedCall.ts"
import type { CheckRun, MadeCall } from "../CheckRun.ts"

/** One way in which a run broke a rule. */
export interface Breach {
  readonly message: string
  /** Number of the call, from 1. */
  readonly call?: number
}

export interface Rule {
  /** The demand of the rule, in one sentence. */
  readonly summary: string
  readonly check: (run: CheckRun) => ReadonlyArray<Breach>
}

/** Rules by their stable names; as a type, each is only a rule, which keeps the declarations small. */
export const rulesOf = <Name extends string>(rules: Readonly<Record<Name, Rule>>): Readonly<Record<Name, Rule>> => rules

export const breachOf = ({ call }: MadeCall, index: number, message: string): Breach => ({
  message: `call ${index + 1}, ${describeCall(call)}: ${message}`,
  call: index + 1
})

type CheckCall = (made: MadeCall, run: CheckRun) => string | undefined

/** Checks each call, also those that were made at the same time. */
export const ofAllCalls =
  (check: CheckCall) =>
  (run: CheckRun): ReadonlyArray<Breach> =>
    run.calls.flatMap((made, index) => {
      const message = check(made, run)
      return message === undefined ? [] : [breachOf(made, index, message)]
    })

/** Checks each call whose requests are known. */
export const ofCalls = (check: CheckCall) => {
  const checkAll = ofAllCalls(check)
  return (run: CheckRun): ReadonlyArray<Breach> => (run.isConcurrent ? [] : checkAll(run))
}

/** Checks consecutive requests of each call; the first pair that breaks the rule counts. */
export const ofRetries = (
  check: (before: JournalEntry, after: JournalEntry, run: CheckRun, made: MadeCall) => string | undefined
) =>
  ofCalls((made, run) => {
    const { requests } = made
    for (const [index, after] of requests.slice(1).entries()) {
      const before = requests[index]
      const message = before === undefined ? undefined : check(before, after, run, made)
      if (message !== undefined) return message
    }
    return undefined
  })
