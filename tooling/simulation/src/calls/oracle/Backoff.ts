/**
 * Checks the distribution of the delays before retries: each is random below a bound that doubles.
 */
import { type Finding, scenarioFinding } from "../../Finding.ts"
import type { Overall } from "../../Family.ts"
import type { Observation } from "../Observation.ts"
import { retryPolicyOf } from "../Program.ts"
import { hintOf, mayBeThrottled } from "./Hint.ts"

/** The delays before first and second retries, as shares of their bounds. */
interface Shares {
  readonly first: ReadonlyArray<number>
  readonly second: ReadonlyArray<number>
}

const sharesIn = (observation: Observation, retry: number): ReadonlyArray<number> =>
  observation.calls.flatMap((call) => {
    const { baseDelayMs, maxDelayMs } = retryPolicyOf(call.plan)
    const before = call.attempts.slice(0, retry)
    const next = call.attempts[retry]
    const isDrawn =
      next !== undefined &&
      !mayBeThrottled(observation, call) &&
      before.every((attempt, index) => {
        const request = call.requests[index]
        return request !== undefined && hintOf(attempt, request) === 0
      })
    return isDrawn ? [next.delayMs / Math.min(maxDelayMs, baseDelayMs * 2 ** (retry - 1))] : []
  })

// Where delays are as they should be, fewer than one of a billion runs of this size breaks a rule.
const enoughForHalves = 30
const enoughForQuarters = 75

const wrongDelays = ({ first, second }: Shares): ReadonlyArray<string> => {
  const all = [...first, ...second]
  const hasNone = (isIn: (share: number) => boolean) => all.length >= enoughForQuarters && !all.some(isIn)
  return [
    ...(second.length >= enoughForHalves && second.every((share) => share <= 0.5)
      ? ["never waits longer before a second retry than before a first one"]
      : []),
    ...(hasNone((share) => share < 0.25) ? [`drew no short delay for ${all.length} retries`] : []),
    ...(hasNone((share) => share > 0.75) ? [`drew no long delay for ${all.length} retries`] : [])
  ]
}

/** Findings about the delays of one scenario: one delay of 0 ms can be drawn, three are not. */
export const checkDelays = (observation: Observation): ReadonlyArray<Finding> => {
  const shares = [...sharesIn(observation, 1), ...sharesIn(observation, 2)]
  return shares.length >= 3 && shares.every((share) => share === 0) ? [scenarioFinding("retries without backoff")] : []
}

/** Collects the delays of scenarios, and checks them when all have run. */
export const makeBackoffCheck = (): Overall<Observation> => {
  const first: Array<number> = []
  const second: Array<number> = []
  return {
    add: (observation) => {
      first.push(...sharesIn(observation, 1))
      second.push(...sharesIn(observation, 2))
    },
    findings: (): ReadonlyArray<Finding> => wrongDelays({ first, second }).map(scenarioFinding)
  }
}
