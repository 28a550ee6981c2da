/**
 * Checks attempt logs against the requests that the service received.
 */
import { isDeepStrictEqual } from "node:util"
import type { Attempt } from "@signalbox/core/Attempt"
import type { JournalEntry } from "@signalbox/test-harness"
import type { Observation, ObservedCall } from "../Observation.ts"
import { callFinding, type Finding } from "../../Finding.ts"

/** The attempt log that the caller received; without one, the attempts that the observer received. */
const logOf = ({ attempts, outcome }: ObservedCall): ReadonlyArray<Attempt> => {
  switch (outcome._tag) {
    case "Error":
      return outcome.error.attempts
    case "Value":
      return outcome.info?.attempts ?? attempts
    case "Interrupted":
    case "Defect":
      return attempts
  }
}

const statusSeen = ({ outcome }: JournalEntry): number | undefined =>
  outcome._tag === "Response" || outcome._tag === "CutResponse" ? outcome.status : undefined

const wrongAttempt = (
  attempt: Attempt,
  request: JournalEntry,
  before: Attempt | undefined,
  ahead: number
): string | undefined => {
  const late = attempt.startedAt + ahead - request.at
  if (late !== 0) return `started ${late} ms after its request`
  // An attempt that timed out has no status, even if the response had started.
  const expected = attempt.outcome === "Timeout" ? undefined : statusSeen(request)
  if (attempt.status !== expected) return `has status ${attempt.status}, the service sent ${expected}`
  const pause = before === undefined ? undefined : attempt.startedAt - before.startedAt - before.durationMs
  if (pause !== undefined && attempt.delayMs !== pause)
    return `has a delay of ${attempt.delayMs} ms, the actual delay was ${pause} ms`
  if (before !== undefined && attempt.retryReason !== before.outcome)
    return `has the retry reason ${attempt.retryReason}, the attempt before it ended with ${before.outcome}`
  return undefined
}

/** The fields of an attempt; an error has instances of a class. */
const plain = (attempt: Attempt): Attempt => ({ ...attempt })

const checkCall = (call: ObservedCall, ahead: number): ReadonlyArray<Finding> => {
  const log = logOf(call)
  if (!isDeepStrictEqual(log.map(plain), call.attempts.map(plain))) {
    return [callFinding(call, "returned an attempt log that differs from the attempts its observer received")]
  }
  // A caller that aborts does so before the attempt has ended.
  const open = call.outcome._tag === "Interrupted" && call.requests.length === log.length + 1
  if (call.requests.length !== log.length && !open) {
    return [
      callFinding(call, `has ${log.length} attempts in its log, the service received ${call.requests.length} requests`)
    ]
  }
  return log.flatMap((attempt, index) => {
    const request = call.requests[index]
    if (attempt.number !== index + 1 || request === undefined)
      return [callFinding(call, `has a wrong number on attempt ${index + 1}`)]
    const wrong = wrongAttempt(attempt, request, log[index - 1], ahead)
    return wrong === undefined ? [] : [callFinding(call, `attempt ${attempt.number} ${wrong}`)]
  })
}

/** Findings about attempt logs. */
export const checkAttemptLogs = ({ calls, scenario }: Observation): ReadonlyArray<Finding> =>
  calls.flatMap((call) => checkCall(call, scenario.ahead))
