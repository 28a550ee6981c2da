/**
 * Checks that clients wait when the service reports an exhausted rate limit.
 */
import { callFinding, type Finding } from "../../Finding.ts"
import type { Observation, ObservedCall } from "../Observation.ts"

/** A response that a client read, or its head. */
interface ReceivedResponse {
  readonly call: ObservedCall
  readonly at: number
  readonly operation: string
  readonly headers: Readonly<Record<string, string>>
}

/** The responses that a client read whole, or also those of which it read the head. */
const responsesReceivedBy = (call: ObservedCall, are: "whole" | "begun"): ReadonlyArray<ReceivedResponse> =>
  call.attempts.flatMap(({ durationMs, outcome, startedAt }, index) => {
    const request = call.requests[index]
    const tag = request?.outcome._tag
    const isReceived = tag === "Response" || (tag === "CutResponse" && are === "begun")
    if (request === undefined || !isReceived || outcome === "Timeout") return []
    return [{ call, at: startedAt + durationMs, operation: call.plan.operation, headers: request.responseHeaders }]
  })

const checkCall = ({ calls }: Observation, call: ObservedCall): ReadonlyArray<string> => {
  if (call.plan.throttling === "off") return []
  const responses = calls
    .filter(({ plan }) => plan.client === call.plan.client)
    .flatMap((each) => responsesReceivedBy(each, "whole"))
    .filter(({ headers }) => headers["ratelimit-remaining"] !== undefined)
    .toSorted((one, other) => one.at - other.at)
  return call.attempts.flatMap(({ number, startedAt }) => {
    const before = responses.filter(({ at }) => at < startedAt)
    // Of responses in the same millisecond, and of those in the millisecond of this attempt, any one may be the last.
    const latest = responses.filter(
      (one) => one.at === before.at(-1)?.at || (one.at === startedAt && one.call !== call)
    )
    const isExhausted = latest.every(
      // The service may count other operations apart.
      ({ headers, operation }) => headers["ratelimit-remaining"] === "0" && operation === call.plan.operation
    )
    // A response in the millisecond of this attempt may also have come after it.
    if (before.length === 0 || !isExhausted) return []
    const reset = Math.min(...latest.map(({ at, headers }) => at + 1_000 * Number(headers["ratelimit-reset"])))
    return startedAt < reset
      ? [`sent attempt ${number} ${reset - startedAt} ms before the reset of the exhausted rate limit`]
      : []
  })
}

const categoryOf = ({ headers }: ReceivedResponse): string | undefined =>
  /category="(\w+)"/.exec(headers["ratelimit-policy"] ?? "")?.[1]

/**
 * A client that knows the categories of its operations waits for the limit of one category only with operations of that
 * category. Upserts also wait for each other.
 */
const checkCategories = ({ calls }: Observation, call: ObservedCall): ReadonlyArray<string> => {
  const { client, operation } = call.plan
  const wait = (call.attempts[0]?.startedAt ?? call.startedAt) - call.startedAt
  if (wait === 0 || operation === "credentials.upsert") return []
  const before = calls
    .filter(({ plan }) => plan.client === client)
    // A client may follow the head of a response whose body breaks off.
    .flatMap((each) => responsesReceivedBy(each, "begun"))
    .filter(({ at }) => at <= call.startedAt + wait)
  const own = before.find((response) => response.operation === operation && response.at < call.startedAt)
  const category = own && categoryOf(own)
  if (category === undefined) return []
  return before.every((response) => {
    const known = categoryOf(response)
    if (known !== undefined && known !== category) return true
    return response.headers["ratelimit-remaining"] !== "0" && response.headers["retry-after"] === undefined
  })
    ? [`waited ${wait} ms before its first attempt although only other operations are limited`]
    : []
}

/** Findings about the waits for rate limits: too short, or for the limit of other operations. */
export const checkRateLimit = (observation: Observation): ReadonlyArray<Finding> =>
  observation.calls.flatMap((call) =>
    [...checkCall(observation, call), ...checkCategories(observation, call)].map((message) =>
      callFinding(call, message)
    )
  )
