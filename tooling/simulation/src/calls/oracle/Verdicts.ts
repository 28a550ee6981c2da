/**
 * The verdicts of the service's own journal, against what the caller knows: two judges of the same events.
 */
import type { ClientKnowledge, Verdict } from "@signalbox/test-harness"
import type { Observation, ObservedCall } from "../Observation.ts"
import { complain, type Complaint } from "../../Complaint.ts"

/** What the caller knows by the outcome of its last attempt; `undefined` where that alone does not say it. */
const knowledgeOf = ({ attempts, requests }: ObservedCall): ClientKnowledge | undefined => {
  const last = attempts.at(-1)
  // A call that ends while an attempt runs has one attempt less than the service saw.
  if (last === undefined || attempts.length !== requests.length) return undefined
  switch (last.outcome) {
    case "success":
    case "MalformedResponse":
      return "success"
    case "Timeout":
      return "nothing-known"
    case "TransportFailure": {
      const { told } = requests.at(-1) ?? {}
      const wasRefused = told?._tag === "Nothing" && told.ending === "refuse"
      if (!wasRefused) return "nothing-known"
      return attempts.length === 1 ? "failure" : undefined
    }
    default:
      return "failure"
  }
}

const isOf = ({ requests }: ObservedCall, { attempts }: Verdict): boolean =>
  requests.length === attempts.length && requests.every((request, index) => request === attempts[index])

const judgeVerdict = (calls: ReadonlyArray<ObservedCall>, verdict: Verdict): ReadonlyArray<Complaint> => {
  const call = calls.find((one) => isOf(one, verdict))
  const known = call === undefined ? undefined : knowledgeOf(call)
  return call === undefined || known === undefined || known === verdict.told
    ? []
    : [complain(call, `knows of ${known}, the verdict is that it was told ${verdict.told}`)]
}

/** Complaints about verdicts. */
export const judgeVerdicts = ({ calls, verdicts }: Observation): ReadonlyArray<Complaint> =>
  verdicts.flatMap((verdict) => judgeVerdict(calls, verdict))
