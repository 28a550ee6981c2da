/**
 * A scenario for human readers: calls, requests, faults and outcomes in order of time.
 */
import type { JournalEntry } from "@signalbox/test-harness"
import { faultLines, inOrderOfTime, type Line, metFaults } from "../Timeline.ts"
import type { Observation, ObservedCall } from "./Observation.ts"
import { workOf } from "./Program.ts"
import type { PlannedCall, Scenario } from "./Scenario.ts"

const described = (plan: PlannedCall): string =>
  [
    workOf(plan),
    `key ${plan.key}`,
    ...(plan.client === 0 ? [] : ["second client"]),
    ...(plan.serviceHonoursKeys ? ["serviceHonoursKeys"] : []),
    ...(plan.retry === "default" ? [] : [`retry ${plan.retry}`]),
    ...(plan.timeouts === "default" ? [] : [`timeouts ${plan.timeouts}`]),
    ...(plan.reading === "tolerant" ? [] : ["strict"]),
    ...(plan.abortsAfter === undefined ? [] : [`aborts after ${plan.abortsAfter} ms`])
  ].join(", ")

const responseOf = ({ responseHeaders, replayed, outcome }: JournalEntry): string => {
  const hint = responseHeaders["retry-after"]
  const details = `${hint === undefined ? "" : `, retry after ${hint}`}${replayed ? ", replayed" : ""}`
  switch (outcome._tag) {
    case "Response":
      return `responds with ${outcome.status}${details}`
    case "CutResponse":
      return `responds with ${outcome.status}, then cuts the body: ${outcome.failure}`
    case "NoResponse":
      return `sends no response: ${outcome.failure}`
    case "ClientDisconnected":
      return "discards the response: the client disconnected"
    case "Pending":
      return "has not responded"
  }
}

const outcomeOf = ({ outcome }: ObservedCall): string => {
  switch (outcome._tag) {
    case "Value":
      return "succeeds"
    case "Error":
      return `fails: ${outcome.error.message}`
    case "Interrupted":
      return "is aborted"
    case "Defect":
      return "fails with a defect"
  }
}

const linesOfRequest = (
  call: ObservedCall,
  request: JournalEntry,
  name: (key: string) => string
): ReadonlyArray<Line> => {
  const { applied, attempt, idempotencyKey, points } = request
  const key = idempotencyKey === undefined ? "no key" : `key ${name(idempotencyKey)}`
  const last = points.at(-1)?.at ?? request.at
  return [
    { at: request.at, text: `call ${call.number}: request ${request.number} arrives, attempt ${attempt} with ${key}` },
    ...points
      .filter(({ point }) => point === "committed")
      .map(({ at }) => ({
        at,
        text: `call ${call.number}: request ${request.number} ${applied ? "is applied" : "is processed"}`
      })),
    {
      at: last,
      text: `call ${call.number}: the service ${responseOf(request)}${metFaults(request)}`
    }
  ]
}

/** Stable names for keys: random keys differ on every run. */
const makeNames = (): ((key: string) => string) => {
  const names = new Map<string, string>()
  return (key) => {
    const name = names.get(key) ?? String.fromCharCode("A".charCodeAt(0) + names.size)
    names.set(key, name)
    return name
  }
}

const serviceLines = ({ ahead, faults, keys, preset, seed, vendor }: Scenario): ReadonlyArray<string> => [
  `preset ${preset === "seeded" ? `seeded(${seed})` : preset}, keys ${keys}, seed ${seed}, vendor ${vendor}`,
  ...(ahead === 0 ? [] : [`the service's clock is ${ahead} ms ahead`]),
  ...faultLines(faults)
]

/** The timeline of a scenario, line by line; identical for every run of it. */
export const timeline = (observation: Observation): ReadonlyArray<string> => {
  const { scenario } = observation
  const name = makeNames()
  const withKeys = (text: string) =>
    text.replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/gu, (key) => name(key))
  const lines = observation.calls.flatMap((call): ReadonlyArray<Line> => [
    { at: call.startedAt, text: `call ${call.number}: ${described(call.plan)}` },
    ...call.requests
      .flatMap((request) => linesOfRequest(call, request, name))
      .map(({ at, text }) => ({ at: at - scenario.ahead, text })),
    { at: call.endedAt, text: `call ${call.number}: ${outcomeOf(call)}` }
  ])
  return [...serviceLines(scenario), ...inOrderOfTime(lines).map(withKeys)]
}
