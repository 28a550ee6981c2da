/**
 * Checks the facts of errors against the requests and responses of the call.
 */
import { isRead } from "@signalbox/core/Operations"
import type { Attempt } from "@signalbox/core/Attempt"
import type { SignalboxError } from "@signalbox/core/SignalboxError"
import type { JournalEntry } from "@signalbox/test-harness"
import { callFinding, type Finding } from "../../Finding.ts"
import type { Observation, ObservedCall } from "../Observation.ts"
import { isRefusal, wasNotSent } from "./Claim.ts"

const isReadCall = ({ plan }: ObservedCall): boolean => isRead(plan.operation)

/** Whether an attempt proves that this request was not applied. */
const provesNotApplied = (attempt: Attempt, request: JournalEntry | undefined): boolean =>
  (isRefusal(attempt) && attempt.outcome !== "RequestInFlight") || (request !== undefined && wasNotSent(request))

const wrongFacts = (call: ObservedCall, error: SignalboxError): ReadonlyArray<string> => {
  const last = error.attempts.at(-1)
  const wrong = (name: string, found: unknown, expected: unknown) =>
    found === expected ? [] : [`has an error with ${name} ${String(found)}, expected ${String(expected)}`]
  const key = call.requests[0]?.idempotencyKey
  return [
    ...wrong("operation", error.operation, call.plan.operation),
    ...wrong("status", error.status, last?.status),
    ...wrong("requestId", error.requestId, last?.requestId),
    ...(call.requests.length === 0 ? [] : wrong("idempotencyKey", error.idempotencyKey, key))
  ]
}

const isJson = (request: JournalEntry | undefined): boolean =>
  request?.responseHeaders["content-type"]?.includes("json") === true

const wrongReason = (call: ObservedCall, error: SignalboxError): ReadonlyArray<string> => {
  const { attempts, reason } = error
  const last = attempts.at(-1)
  const request = call.requests[attempts.length - 1]
  switch (reason._tag) {
    case "TransportFailure": {
      const isRefused = request !== undefined && wasNotSent(request)
      const isCertain = attempts.every((attempt, index) => provesNotApplied(attempt, call.requests[index]))
      return isRefused && isCertain && reason.delivery !== "not-sent"
        ? ["has an error with an unknown delivery although every request was refused"]
        : []
    }
    case "MalformedResponse": {
      // Without JSON, another server may have responded.
      if (reason.accepted === undefined && !isJson(request)) return []
      const accepted = !isReadCall(call)
      return reason.accepted === accepted ? [] : [`has an error with accepted ${reason.accepted}, expected ${accepted}`]
    }
    case "Timeout":
    case "RateLimited":
    case "InvalidRequest":
      // These can end a call between two attempts.
      return []
    default:
      return last?.outcome === reason._tag
        ? []
        : [`has an error with the reason ${reason._tag}, the last attempt ended with ${last?.outcome}`]
  }
}

const wrongDoubt = (call: ObservedCall, error: SignalboxError): ReadonlyArray<string> => {
  const { attempts, mayHaveBeenApplied } = error
  const wasApplied = call.requests.some(({ applied }) => applied)
  const isCertain = attempts.every((attempt, index) => provesNotApplied(attempt, call.requests[index]))
  if (mayHaveBeenApplied && (isReadCall(call) || isCertain)) {
    return ["has an error with mayHaveBeenApplied true although no request can have been applied"]
  }
  return !mayHaveBeenApplied && wasApplied
    ? ["has an error with mayHaveBeenApplied false although a request was applied"]
    : []
}

const checkCall = (call: ObservedCall): ReadonlyArray<string> => {
  if (call.outcome._tag !== "Error") return []
  const { error } = call.outcome
  return [...wrongFacts(call, error), ...wrongReason(call, error), ...wrongDoubt(call, error)]
}

/** Findings about the facts of errors. */
export const checkErrors = ({ calls }: Observation): ReadonlyArray<Finding> =>
  calls.flatMap((call) => checkCall(call).map((message) => callFinding(call, message)))
