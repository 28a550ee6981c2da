/**
 * Checks that clients wait when the service reports an exhausted rate limit.
 */
import { callFinding, type Finding } from "../../Finding.ts"
import type { Observation, ObservedCall } from "../Observation.ts"

/** A complete response that a client read. */
interface Heard {
  readonly at: number
  readonly operation: string
  readonly headers: Readonly<Record<string, string>>
}

const heardBy = ({ attempts, plan, requests }: ObservedCall): ReadonlyArray<Heard> =>
  attempts.flatMap(({ durationMs, outcome, startedAt }, index) => {
    const request = requests[index]
    if (request?.outcome._tag !== "Response" || outcome === "Timeout") return []
    return [{ at: startedAt + durationMs, operation: plan.operation, headers: request.responseHeaders }]
  })

const checkCall = ({ calls }: Observation, call: ObservedCall): ReadonlyArray<string> => {
  if (call.plan.throttling === "off") return []
  const heard = calls
    .filter(({ plan }) => plan.client === call.plan.client)
    .flatMap(heardBy)
    .filter(({ headers }) => headers["ratelimit-remaining"] !== undefined)
    .toSorted((one, other) => one.at - other.at)
  return call.attempts.flatMap(({ number, startedAt }) => {
    const last = heard.findLast(({ at }) => at < startedAt)
    // The service may count other operations apart.
    if (last?.headers["ratelimit-remaining"] !== "0" || last.operation !== call.plan.operation) return []
    const reset = last.at + 1_000 * Number(last.headers["ratelimit-reset"])
    return startedAt < reset
      ? [`sent attempt ${number} ${reset - startedAt} ms before the reset of the exhausted rate limit`]
      : []
  })
}

/** Findings about requests that were sent although the rate limit was exhausted. */
export const checkRateLimit = (observation: Observation): ReadonlyArray<Finding> =>
  observation.calls.flatMap((call) => checkCall(observation, call).map((message) => callFinding(call, message)))
