/**
 * Checks what a call reports: secrets, durations, spans and metrics.
 */
import { callFinding, type Finding } from "../../Finding.ts"
import { wrongReports, wrongTelemetry } from "../../RecordingOracle.ts"
import { requestIdOf } from "../../Watch.ts"
import type { Observation, ObservedCall } from "../Observation.ts"
import { tokensOf, webhookOf } from "../Program.ts"

const outcomeOf = ({ outcome }: ObservedCall): string | undefined => {
  switch (outcome._tag) {
    case "Value":
      return "success"
    case "Error":
      return outcome.error.reason._tag
    case "Interrupted":
    case "Defect":
      return undefined
  }
}

const wrongDurations = ({ endedAt, outcome, requests, recording, startedAt }: ObservedCall): ReadonlyArray<string> => [
  ...(outcome._tag === "Value" && outcome.info?.durationMs !== endedAt - startedAt
    ? [`has a duration of ${outcome.info?.durationMs} ms, it took ${endedAt - startedAt} ms`]
    : []),
  ...recording.attempts.flatMap(({ durationMs, number, outcome: end }, index) => {
    const request = requests[index]
    if (request?.endedAt === undefined || request.outcome._tag !== "Response" || end === "Timeout") return []
    const took = request.endedAt - request.at
    return durationMs === took ? [] : [`attempt ${number} has a duration of ${durationMs} ms, it took ${took} ms`]
  })
]

const wrongRequestIds = ({ number: call, recording, requests }: ObservedCall): ReadonlyArray<string> =>
  recording.attempts.flatMap(({ number, outcome, requestId, status }) => {
    const isComplete =
      status !== undefined && outcome !== "Timeout" && requests[number - 1]?.outcome._tag === "Response"
    const expected = isComplete ? requestIdOf(call, number) : requestId
    return requestId === expected ? [] : [`attempt ${number} has the request id ${requestId}, expected ${expected}`]
  })

const checkCall = (secrets: ReadonlyArray<string>, vendor: string, call: ObservedCall): ReadonlyArray<string> => {
  const { endedAt, outcome, recording, startedAt } = call
  const errors = outcome._tag === "Error" ? [outcome.error] : []
  const end = { attempts: recording.attempts, outcome: outcomeOf(call), durationMs: endedAt - startedAt }
  return [
    ...wrongReports(recording, errors, secrets, vendor),
    ...wrongDurations(call),
    ...wrongRequestIds(call),
    ...wrongTelemetry(recording, end)
  ]
}

/** Findings about what calls report. */
export const checkReports = ({ apiKey, calls, scenario }: Observation): ReadonlyArray<Finding> => {
  const secrets = [apiKey, ...calls.flatMap(({ plan }) => [...(tokensOf(plan) ?? []), webhookOf(plan) ?? []].flat())]
  return calls.flatMap((call) => checkCall(secrets, scenario.vendor, call).map((message) => callFinding(call, message)))
}
