/**
 * Checks the verdicts of the fake's client check against what the caller knows.
 */
import type { CallOutcome, Verdict } from "@signalbox/test-harness"
import type { Observation, ObservedCall } from "../Observation.ts"
import { callFinding, type Finding } from "../../Finding.ts"

/** The caller's evidence from its last attempt; `undefined` where that is not enough. */
const knowledgeOf = ({ attempts, requests }: ObservedCall): CallOutcome | undefined => {
  const last = attempts.at(-1)
  // A call that ends during an attempt has one attempt fewer than the service received.
  if (last === undefined || attempts.length !== requests.length) return undefined
  // The status of a response whose body breaks off tells the caller more than the verdict claims.
  if (requests.at(-1)?.outcome._tag === "CutResponse") return undefined
  switch (last.outcome) {
    case "success":
    case "MalformedResponse":
      return "success"
    case "Timeout":
      return "unknown"
    case "TransportFailure": {
      const { outcome } = requests.at(-1) ?? {}
      const wasRefused = outcome?._tag === "NoResponse" && outcome.failure === "refuse"
      if (!wasRefused) return "unknown"
      return attempts.length === 1 ? "failure" : undefined
    }
    default:
      return "failure"
  }
}

const isOf = ({ requests }: ObservedCall, { attempts }: Verdict): boolean =>
  requests.length === attempts.length && requests.every((request, index) => request === attempts[index])

const checkVerdict = (calls: ReadonlyArray<ObservedCall>, verdict: Verdict): ReadonlyArray<Finding> => {
  const call = calls.find((one) => isOf(one, verdict))
  const known = call === undefined ? undefined : knowledgeOf(call)
  return call === undefined || known === undefined || known === verdict.outcome
    ? []
    : [callFinding(call, `knows ${known}, the verdict says ${verdict.outcome}`)]
}

/** Findings about verdicts. */
export const checkVerdicts = ({ calls, verdicts }: Observation): ReadonlyArray<Finding> =>
  verdicts.flatMap((verdict) => checkVerdict(calls, verdict))
