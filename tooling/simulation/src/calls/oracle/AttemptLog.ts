/**
 * The attempt log of a call, against the requests that the service saw.
 */
import { isDeepStrictEqual } from "node:util"
import type { Attempt } from "@signalbox/core/Attempt"
import type { JournalEntry } from "@signalbox/test-harness"
import type { Observation, ObservedCall } from "../Observation.ts"
import { complain, type Complaint } from "../../Complaint.ts"

/** The log that the caller was handed; the attempts as they were reported where it was handed none. */
const logOf = ({ attempts, told }: ObservedCall): ReadonlyArray<Attempt> => {
  switch (told._tag) {
    case "Error":
      return told.error.attempts
    case "Value":
      return told.info?.attempts ?? attempts
    case "Interrupted":
    case "Defect":
      return attempts
  }
}

const statusSeen = ({ told }: JournalEntry): number | undefined =>
  told._tag === "Answer" || told._tag === "CutAnswer" ? told.status : undefined

const wrongAttempt = (
  attempt: Attempt,
  request: JournalEntry,
  before: Attempt | undefined,
  ahead: number
): string | undefined => {
  const late = attempt.startedAt + ahead - request.at
  if (late !== 0) return `began ${late} ms after its request`
  // An attempt that ran out of time has no status, however far the answer had come.
  const expected = attempt.outcome === "Timeout" ? undefined : statusSeen(request)
  if (attempt.status !== expected) return `has status ${attempt.status}, the service said ${expected}`
  const pause = before === undefined ? undefined : attempt.startedAt - before.startedAt - before.durationMs
  if (pause !== undefined && attempt.delayMs !== pause)
    return `has a delay of ${attempt.delayMs} ms, it was ${pause} ms`
  if (before !== undefined && attempt.retryReason !== before.outcome) return `repeats ${attempt.retryReason}`
  return undefined
}

/** The fields of an attempt: an error holds attempts of its own making. */
const plain = (attempt: Attempt): Attempt => ({ ...attempt })

const judgeCall = (call: ObservedCall, ahead: number): ReadonlyArray<Complaint> => {
  const log = logOf(call)
  if (!isDeepStrictEqual(log.map(plain), call.attempts.map(plain))) {
    return [complain(call, "was handed another attempt log than was reported while it ran")]
  }
  // Who gives up does so before the attempt has ended.
  const open = call.told._tag === "Interrupted" && call.requests.length === log.length + 1
  if (call.requests.length !== log.length && !open) {
    return [complain(call, `has ${log.length} attempts in its log, the service saw ${call.requests.length} requests`)]
  }
  return log.flatMap((attempt, index) => {
    const request = call.requests[index]
    if (attempt.number !== index + 1 || request === undefined)
      return [complain(call, `misnumbers attempt ${index + 1}`)]
    const wrong = wrongAttempt(attempt, request, log[index - 1], ahead)
    return wrong === undefined ? [] : [complain(call, `attempt ${attempt.number} ${wrong}`)]
  })
}

/** Complaints about attempt logs. */
export const judgeAttemptLogs = ({ calls, scenario }: Observation): ReadonlyArray<Complaint> =>
  calls.flatMap((call) => judgeCall(call, scenario.ahead))
