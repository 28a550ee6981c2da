/**
 * The rules of a check. A rule blames a client only for what the API document, HTTP, or the client's own report
 * contradicts; never for how it reads an open question.
 */
import { describeCall, secretsOf } from "./CheckedCall.ts"
import type { CheckRun } from "./CheckRun.ts"
import { wrongRequest } from "./RequestMatch.ts"
import { effectRules } from "./rules/EffectRules.ts"
import { factRules } from "./rules/FactRules.ts"
import { retryRules } from "./rules/RetryRules.ts"
import { type Breach, breachOf, type Rule, rulesOf } from "./rules/Rule.ts"
import { timeRules } from "./rules/TimeRules.ts"
import { valueRules } from "./rules/ValueRules.ts"

/** The rules by their stable names. */
export const checkRules = rulesOf({
  ...effectRules,
  ...valueRules,
  ...retryRules,
  ...timeRules,
  ...factRules,
  "wrong-request": {
    summary: "Each request is the one that its call stands for: API key, method, path, query and body",
    check: (run) => {
      if (run.unmatchedRequests > 0)
        return [{ message: `requests without the API key of the service: ${run.unmatchedRequests}` }]
      return run.calls.flatMap((made, index) =>
        made.requests.flatMap((entry) => {
          const wrong = wrongRequest(made.call, entry, run)
          return wrong === undefined ? [] : [breachOf(made, index, `request ${entry.number}: ${wrong}`)]
        })
      )
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
})

/** The stable name of a rule. */
export type CheckRuleName = keyof typeof checkRules

export const checkRuleNames = Object.keys(checkRules) as ReadonlyArray<CheckRuleName> // keys of a literal

export interface BrokenRule extends Breach {
  readonly rule: CheckRuleName
}

/** Every rule that a run broke, in the order of the rules. */
export const brokenRules = (run: CheckRun): ReadonlyArray<BrokenRule> =>
  checkRuleNames.flatMap((rule) => {
    const { check }: Rule = checkRules[rule]
    return check(run).map((breach) => Object.assign({ rule }, breach))
  })
