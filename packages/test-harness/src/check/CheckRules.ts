/**
 * The rules of a check. A rule blames a client only for what the API document, HTTP, or the client's own report
 * contradicts; never for how it reads an open question.
 */
import type { JournalEntry } from "../journal/JournalEntry.ts"
import { type AnyCall, describeCall, operationOf, secretsOf, subscriberOf } from "./CheckedCall.ts"
import type { CheckRun } from "./CheckRun.ts"
import { effectRules } from "./rules/EffectRules.ts"
import { factRules } from "./rules/FactRules.ts"
import { retryRules } from "./rules/RetryRules.ts"
import type { Breach, Rule, Rules } from "./rules/Rule.ts"
import { timeRules } from "./rules/TimeRules.ts"
import { valueRules } from "./rules/ValueRules.ts"

const asks = (call: AnyCall, { operation, query, subscriberId }: JournalEntry): boolean =>
  operation === operationOf(call) &&
  subscriberId === subscriberOf(call) &&
  (call.operation !== "events.list" ||
    [call.transactionId ?? "", ...(call.subscriberIds ?? [])].every((filter) => query.includes(filter)))

/** The rules by their stable names. */
export const checkRules = {
  ...effectRules,
  ...valueRules,
  ...retryRules,
  ...timeRules,
  ...factRules,
  "wrong-request": {
    summary: "Every request belongs to a call, with its subscriber, its filters and the API key",
    check: (run) => {
      if (run.unmatchedRequests > 0)
        return [{ message: `requests without the API key of the service: ${run.unmatchedRequests}` }]
      return run.requests
        .filter((entry) => !run.calls.some(({ call }) => asks(call, entry)))
        .map(({ method, number, path, query }) => ({
          message: `request ${number}, ${method} ${path}${query === "" ? "" : `?${query}`}, belongs to no call`
        }))
    }
  },
  "leaked-secret": {
    summary: "Nothing that the client throws or prints shows the API key, a device token or a webhook URL",
    check: ({ apiKey, calls, output }) => {
      const shows = (secret: string) => output.includes(secret) || output.includes(encodeURIComponent(secret))
      const breaches: ReadonlyArray<Breach> = calls.flatMap(({ call }, index) =>
        secretsOf(call).some(shows)
          ? [{ message: `call ${index + 1}, ${describeCall(call)}: the output shows its credentials`, call: index + 1 }]
          : []
      )
      return shows(apiKey) ? [{ message: "the output shows the API key", call: 1 }, ...breaches] : breaches
    }
  }
} as const satisfies Rules

/** The stable name of a rule. */
export type CheckRuleName = keyof typeof checkRules

/** The names of all rules. */
export const checkRuleNames = Object.keys(checkRules) as ReadonlyArray<CheckRuleName> // keys of a literal

/** A rule that a run broke. */
export interface BrokenRule extends Breach {
  readonly rule: CheckRuleName
}

/** Every rule that a run broke, in the order of the rules. */
export const brokenRules = async (run: CheckRun): Promise<ReadonlyArray<BrokenRule>> => {
  const broken: Array<BrokenRule> = []
  for (const rule of checkRuleNames) {
    const { check }: Rule = checkRules[rule]
    for (const breach of await check(run)) broken.push({ rule, ...breach })
  }
  return broken
}
